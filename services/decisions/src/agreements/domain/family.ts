/** A side of an agreement, and the guardians of its person. */
export interface Guarded {
  minor: boolean;
  /** uuid; empty for an AI without an owner. */
  person: string;
  /** uuids */
  guardians: readonly string[];
}

/** False where the AI of a person under 18 agrees with one that is neither of that person nor of their guardians. */
export function isFamily(sides: readonly Guarded[]): boolean {
  return sides
    .filter(({ minor }) => minor)
    .every((child) =>
      sides.every(({ person }) => person === child.person || child.guardians.includes(person)),
    );
}
