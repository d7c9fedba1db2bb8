import { enumNames } from '@hearth/enum-names';
import { type AgeBand, AgeBandSchema } from '@hearth/proto/identity/v1/resources';

export type AgeBandName = 'adult' | 'teen16' | 'teen13' | 'child';

const ageBands = enumNames(AgeBandSchema);

/** An age band as stored. A band unknown to this version counts as the youngest. */
export const ageBandName = (band: AgeBand) => (ageBands.nameOf(band) || 'child') as AgeBandName;

export const ageBandOf = (name: AgeBandName): AgeBand => ageBands.valueOf(name);
