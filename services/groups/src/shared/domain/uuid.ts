const shape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether the database can hold it as a uuid in the spelling that it prints. */
export function isUuid(text: string): boolean {
  return shape.test(text);
}
