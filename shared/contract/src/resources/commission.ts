import { z } from "zod";

/** The commission of a deal; `calculation` is null when none is set (spec, Deal commission calculation). */
export const DealCommission = z.object({
	calculation: z
		.object({
			entries: z.array(z.looseObject({ payment_stage_id: z.int() })),
		})
		.nullable(),
});
export type DealCommission = z.infer<typeof DealCommission>;
