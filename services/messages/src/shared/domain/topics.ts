/** Woken when the owner's mailbox changes. */
export function mailboxTopic(owner: string): string {
  return `messages:${owner}`;
}
