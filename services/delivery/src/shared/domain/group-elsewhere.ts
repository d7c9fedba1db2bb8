import { derivedId } from '@hearth/ids';

const nothing = '00000000-0000-0000-0000-000000000000';

/** Returns the uuid under which wake-ups of a remote group are stored, derived from its reference r:<home>:<id>. */
export const groupElsewhere = (reference: string) => derivedId(nothing, `group ${reference}`);
