export interface Named {
  name: string;
  archived: boolean;
}

/**
 * Chooses among groups whose names start with these words: exact names before longer ones, active groups
 * before archived ones.
 */
export function chooseNamed<Group extends Named>(groups: readonly Group[], words: string): Group[] {
  const wanted = words.toLowerCase();
  const tiers: ((group: Group) => boolean)[] = [
    ({ name, archived }) => !archived && name.toLowerCase() === wanted,
    ({ name }) => name.toLowerCase() === wanted,
    ({ archived }) => !archived,
    () => true,
  ];
  for (const belongs of tiers) {
    const meant = groups.filter(belongs);
    if (meant.length > 0) return meant;
  }
  return [];
}
