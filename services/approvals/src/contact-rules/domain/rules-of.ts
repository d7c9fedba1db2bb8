import { defaultRows, minorRows, type PresetName } from './presets.ts';
import type { RuleRows } from './rules.ts';
import { fromStored, toPreset } from './stored-rules.ts';

/** Rules as they are kept of a person. */
interface Kept {
  preset: string | null;
  rows: Parameters<typeof fromStored>[0];
  frontDoor: string | null;
  byGuardian: boolean;
}

/** The rules that hold for a person, and where they come from. */
export interface Rules {
  rows: RuleRows;
  preset: PresetName | null;
  /** uuid of the AI that sees requests first. */
  frontDoor: string | null;
}

/** What an adult set for themselves, or a guardian for somebody under 18; else the usual ones. */
export function rulesFor(kept: Kept | null, minor: boolean): Rules {
  if (kept === null || kept.byGuardian !== minor)
    return { rows: minor ? minorRows : defaultRows, preset: null, frontDoor: null };
  return { rows: fromStored(kept.rows), preset: toPreset(kept.preset), frontDoor: kept.frontDoor };
}
