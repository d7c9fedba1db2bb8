/** Woken when something changes in the mailbox of that owner. */
export function mailboxTopic(owner: string): string {
  return `messages:${owner}`;
}
