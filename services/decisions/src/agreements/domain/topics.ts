/** Woken when that agreement (uuid) changes. */
export function agreementTopic(id: string): string {
  return `agreement:${id}`;
}
