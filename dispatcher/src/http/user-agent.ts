/** The `user-agent` of every webhook; a test holds its version to the package's. */
export const USER_AGENT = "Partnerwire/0.1.0";
