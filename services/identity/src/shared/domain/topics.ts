/** Woken when the card of an AI or a person (uuid) changed. */
export const cardTopic = (id: string) => `card:${id}`;

/** The same for the answer of whoami. */
export const whoamiTopic = (id: string) => `whoami:${id}`;

/** The groups service wakes it when a person (uuid) joined or left a group. */
export const groupsTopic = (person: string) => `groups:${person}`;
/** Woken by federation when the keys change with which cards are signed. */
export const homeKeysTopic = 'home:keys';
