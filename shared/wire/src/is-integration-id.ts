/** How an integration's id differs from its signing secret. Both are UUIDs, and easily mistaken for each other. */
const ID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** Is a text an integration's id? Ids are UUIDs of version 7, signing secrets of version 4 (docs/decisions.md#signing-secret). */
export const isIntegrationId = (text: string): boolean => ID.test(text);
