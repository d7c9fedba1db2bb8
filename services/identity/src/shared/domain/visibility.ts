/**
 * How much a caller sees of an AI, a person or a group:
 * - `whole`: itself, its person, and the guardian or app that looks after them;
 * - `fellow`: a caller who shares a group with it;
 * - `stranger`: everyone else, as far as they may know of it at all.
 */
export type Visibility = 'whole' | 'fellow' | 'stranger';
