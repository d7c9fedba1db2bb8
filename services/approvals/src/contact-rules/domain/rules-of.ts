import type { RulesRow } from '../db/rules.ts';
import { defaultRows, minorRows, type PresetName } from './presets.ts';
import type { RuleRows } from './rules.ts';
import { fromStored, toPreset } from './stored-rules.ts';

/** Rules as stored. */
type Kept = Omit<RulesRow, 'person'>;

/** A person's effective rules, and the preset they started from. */
export interface Rules {
  rows: RuleRows;
  preset: PresetName | null;
  /** uuid of the AI that sees requests first. */
  frontDoor: string | null;
}

/** The rules that an adult set, or a guardian set for a child; otherwise the defaults. */
export function rulesFor(kept: Kept | null, minor: boolean): Rules {
  if (kept === null || kept.byGuardian !== minor)
    return { rows: minor ? minorRows : defaultRows, preset: null, frontDoor: null };
  return { rows: fromStored(kept.rows), preset: toPreset(kept.preset), frontDoor: kept.frontDoor };
}
