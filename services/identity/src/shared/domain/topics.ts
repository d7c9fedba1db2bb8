/** Woken when the card of an AI or person (uuid) changes. */
export const cardTopic = (id: string) => `card:${id}`;

/** Woken when the answer of whoami for a caller (uuid) changes. */
export const whoamiTopic = (id: string) => `whoami:${id}`;

/** Woken by the groups service when a person (uuid) joins or leaves a group. */
export const groupsTopic = (person: string) => `groups:${person}`;
/** Woken by federation when the keys that sign cards change. */
export const homeKeysTopic = 'home:keys';
