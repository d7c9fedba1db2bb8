import type { RulesRow } from '../db/rules.ts';
import { defaultRows, minorRows, type PresetName } from './presets.ts';
import type { RuleRows } from './rules.ts';
import { fromStored, toPreset } from './stored-rules.ts';

/** Rules as they are stored. */
type Kept = Omit<RulesRow, 'person'>;

/** The rules that hold for a person, and the preset from which they start. */
export interface Rules {
  rows: RuleRows;
  preset: PresetName | null;
  /** uuid of the AI that sees requests first. */
  frontDoor: string | null;
}

/** The rules that an adult set for themselves, or a guardian for a child; else the default ones. */
export function rulesFor(kept: Kept | null, minor: boolean): Rules {
  if (kept === null || kept.byGuardian !== minor)
    return { rows: minor ? minorRows : defaultRows, preset: null, frontDoor: null };
  return { rows: fromStored(kept.rows), preset: toPreset(kept.preset), frontDoor: kept.frontDoor };
}
