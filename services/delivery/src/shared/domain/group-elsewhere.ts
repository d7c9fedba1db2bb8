import { derivedId } from '@hearth/ids';

const nothing = '00000000-0000-0000-0000-000000000000';

/** The uuid by which wake-ups of a group of another home are found: one for each reference r:<home>:<id>. */
export const groupElsewhere = (reference: string) => derivedId(nothing, `group ${reference}`);
