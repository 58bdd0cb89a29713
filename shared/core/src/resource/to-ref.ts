// How a record appears in another one. Each function takes a row, or a table: then it gives the columns to select.

export const toLabelRef = <Uuid, Label>({
	uuid,
	label,
}: {
	uuid: Uuid;
	label: Label;
}) => ({ uuid, label });

export const toPartnerRef = <Uuid, Name, Type>({
	uuid,
	name,
	partnerType,
}: {
	uuid: Uuid;
	name: Name;
	partnerType: Type;
}) => ({ uuid, name, partner_type: partnerType });

export const toUserRef = <Uuid, First, Last, Email>({
	uuid,
	firstName,
	lastName,
	email,
}: {
	uuid: Uuid;
	firstName: First;
	lastName: Last;
	email: Email;
}) => ({ uuid, first_name: firstName, last_name: lastName, email });

export const toCurrencyRef = <Uuid, Code, Label>({
	uuid,
	code,
	label,
}: {
	uuid: Uuid;
	code: Code;
	label: Label;
}) => ({ uuid, code, label });
