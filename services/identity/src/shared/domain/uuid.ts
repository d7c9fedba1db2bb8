const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is a uuid as this home writes it; a query for anything else would fail. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
