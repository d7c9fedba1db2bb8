import type { ArchiveReason, GroupRow, Settled } from '../db/groups.ts';

/** A change of the group itself. Members change separately, under the same lock. */
export type GroupAct =
  | { kind: 'settle'; settled: Settled }
  /** `by`: uuid of the organizer who may restore it; null if it stays archived. */
  | { kind: 'archive'; why: ArchiveReason; by: string | null; at: Date }
  | { kind: 'restore' };

/** Returns the group after the act, or the same object if the act changes nothing. */
export function nextGroup(group: GroupRow, act: GroupAct): GroupRow {
  const seq = group.seq + 1;
  switch (act.kind) {
    case 'settle':
      return changesOf(group, act.settled).length === 0 ? group : { ...group, ...act.settled, seq };
    case 'archive': {
      const archived = { archived_at: act.at, archived_why: act.why, archived_by: act.by };
      const endsLater = act.why === 'ended' && (group.ends_at === null || group.ends_at > act.at);
      return { ...group, ...archived, ends_at: endsLater ? act.at : group.ends_at, seq };
    }
    case 'restore':
      return { ...group, archived_at: null, archived_why: null, archived_by: null, seq };
  }
}

const settings = ['minors', 'consent_age', 'join_review', 'group_ai_runs', 'plans'] as const;

/** The changed parts of a group, as its event names them: name, settings, ends_at, time_zone. */
export function changesOf(before: Settled, after: Settled): string[] {
  const changed: string[] = [];
  if (before.name !== after.name) changed.push('name');
  if (settings.some((setting) => before[setting] !== after[setting])) changed.push('settings');
  if (before.ends_at?.getTime() !== after.ends_at?.getTime()) changed.push('ends_at');
  if (before.time_zone !== after.time_zone) changed.push('time_zone');
  return changed;
}
