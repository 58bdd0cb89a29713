import {
	agreements as agreementDefinition,
	agreementTemplates as templateDefinition,
} from "@partnerwire/contract";
import { createPlain } from "../resource/create-plain.ts";

const templates = createPlain(templateDefinition, {
	references: { asset_uuid: "asset" },
});

const agreements = createPlain(agreementDefinition, {
	references: {
		partnership_uuid: "partner",
		template_uuid: "agreementTemplate",
		asset_uuid: "asset",
	},
});

/** The operations on agreements with partners and on their templates. */
export const agreementHandlers = {
	...templates.handlers,
	...agreements.handlers,
};
