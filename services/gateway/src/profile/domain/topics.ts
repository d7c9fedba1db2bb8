/** Identity wakes it when the answer of whoami changed: of an AI or a person (uuid). */
export const whoamiTopic = (id: string) => `whoami:${id}`;
/** Messages wakes it when what waits for an AI or a person (uuid) changed. */
export const messagesTopic = (id: string) => `messages:${id}`;
/** Approvals wakes it when what waits for a person or AI (uuid) to answer changed. */
export const approvalsTopic = (id: string) => `approvals:${id}`;
/** Approvals wakes it when the contact rules of a person (uuid) changed. */
export const rulesTopic = (person: string) => `rules:${person}`;
/** Decisions wakes it when the decisions, plans or agreements that wait for a person or AI (uuid) changed. */
export const decisionsTopic = (id: string) => `decisions:${id}`;
/** Groups wakes it when a person (uuid) joined or left a group. */
export const groupsTopic = (person: string) => `groups:${person}`;
/** Decisions wakes it when the offers of times that the card of an AI (uuid) shows changed. */
export const offersTopic = (ai: string) => `offers:${ai}`;
