/** Woken when the card of an AI or a person (uuid) changed. */
export function cardTopic(ai: string): string {
  return `card:${ai}`;
}

/** The same for what whoami says. */
export function whoamiTopic(ai: string): string {
  return `whoami:${ai}`;
}

/** The messages service wakes this when what waits for an AI changed. */
export function messagesTopic(ai: string): string {
  return `messages:${ai}`;
}

/** The approvals service wakes this when what waits for a person or AI (uuid) to answer changed. */
export function approvalsTopic(owner: string): string {
  return `approvals:${owner}`;
}

/** The approvals service wakes this when the request rules of a person (uuid) changed. */
export function rulesTopic(person: string): string {
  return `rules:${person}`;
}

/** The groups service wakes this when a person (uuid) joined or left a group. */
export function groupsTopic(person: string): string {
  return `groups:${person}`;
}
