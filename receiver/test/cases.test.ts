import { ADAPTERS } from "#kit/endpoints/adapters.ts";
import { describeCases } from "./cases/describe-cases.ts";

describeCases(ADAPTERS);
