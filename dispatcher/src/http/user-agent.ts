/** The `user-agent` of every webhook. A test compares its version with the package's. */
export const USER_AGENT = "Partnerwire/0.1.0";
