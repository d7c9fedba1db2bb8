import type { Settings } from './settings.ts';

interface Changeable extends Settings {
  name: string;
  ends_at: Date | null;
  time_zone: string;
}

const settings = ['minors', 'consent_age', 'join_review', 'group_ai_runs', 'plans'] as const;

/** What of a group differs, in the words of its event: name, settings, ends_at, time_zone. */
export function changesOf(before: Changeable, after: Changeable): string[] {
  const changed: string[] = [];
  if (before.name !== after.name) changed.push('name');
  if (settings.some((setting) => before[setting] !== after[setting])) changed.push('settings');
  if (before.ends_at?.getTime() !== after.ends_at?.getTime()) changed.push('ends_at');
  if (before.time_zone !== after.time_zone) changed.push('time_zone');
  return changed;
}
