import type { WaitingFor, WebhookEventStatus } from "@partnerwire/contract";
import type { Tone } from "./health.ts";

interface Look {
	readonly label: string;
	readonly tone: Tone | "info";
	readonly icon: string;
}

/** The look of each state of a delivery: never by colour alone. */
export const STATUS_LOOK: Readonly<Record<WebhookEventStatus, Look>> = {
	pending: { label: "Pending", tone: "info", icon: "i-lucide-clock" },
	delivering: { label: "Delivering", tone: "info", icon: "i-lucide-send" },
	delivered: { label: "Delivered", tone: "success", icon: "i-lucide-check" },
	failed: { label: "Failed", tone: "error", icon: "i-lucide-x" },
	held: { label: "Held", tone: "warning", icon: "i-lucide-pause" },
	dropped: { label: "Dropped", tone: "neutral", icon: "i-lucide-ban" },
};

const WAITS: Readonly<Record<WaitingFor, string>> = {
	schedule: "Waits for its next attempt",
	retry_after: "The receiver asked to wait",
	overload_floor: "Gives the receiver a minute",
	pause: "Waits for a resume",
	lane: "Waits for an earlier event of its record",
	release_rate: "Goes out at the release rate",
	lease: "An attempt is under way",
	worker: "Is due now",
};

/** Why a delivery waits, in a few words. Empty if it does not wait. */
export const toWait = (rule: WaitingFor | null): string =>
	rule === null ? "" : WAITS[rule];
