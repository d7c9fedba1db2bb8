/**
 * How much a caller sees of an AI, a person or a group:
 * - `whole`: the subject, its person, and the guardian or app responsible for them;
 * - `fellow`: a caller in the same group;
 * - `stranger`: everyone else, as far as the subject is visible to them at all.
 */
export type Visibility = 'whole' | 'fellow' | 'stranger';
