/** Woken by identity when the answer of whoami for an AI or a person (uuid) changed. */
export const whoamiTopic = (id: string) => `whoami:${id}`;
/** Woken by messages when the unread messages of an AI or a person (uuid) changed. */
export const messagesTopic = (id: string) => `messages:${id}`;
/** Woken by approvals when the asks that wait for a person or AI (uuid) changed. */
export const approvalsTopic = (id: string) => `approvals:${id}`;
/** Woken by approvals when a person's (uuid) contact rules changed. */
export const rulesTopic = (person: string) => `rules:${person}`;
/** Woken by decisions when the decisions, plans or agreements that wait for a person or AI (uuid) changed. */
export const decisionsTopic = (id: string) => `decisions:${id}`;
/** Woken by groups when a person (uuid) joined or left a group. */
export const groupsTopic = (person: string) => `groups:${person}`;
/** Woken by decisions when the offered times on an AI's (uuid) card changed. */
export const offersTopic = (ai: string) => `offers:${ai}`;
