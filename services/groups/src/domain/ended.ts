interface Ending {
  ends_at: Date | null;
  archived_at: Date | null;
}

/** Whether a group is archived at this moment: also when its end has come and no job has noted it yet. */
export function isArchived(group: Ending, now: number): boolean {
  return group.archived_at !== null || isPastEnd(group, now);
}

export function isPastEnd({ ends_at }: Pick<Ending, 'ends_at'>, now: number): boolean {
  return ends_at !== null && ends_at.getTime() <= now;
}
