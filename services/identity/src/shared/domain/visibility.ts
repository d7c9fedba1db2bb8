/**
 * How much somebody sees of an AI, a person or a group:
 * - `whole`: itself, its person, whoever guards or holds them;
 * - `fellow`: somebody who shares a group with it;
 * - `stranger`: everybody else, as far as they may know of it at all.
 */
export type Sight = 'whole' | 'fellow' | 'stranger';
