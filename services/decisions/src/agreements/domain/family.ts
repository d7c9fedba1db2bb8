/** A side of an agreement, and its owner's guardians. */
export interface Guarded {
  minor: boolean;
  /** uuid; empty for an AI without an owner. */
  person: string;
  /** uuids */
  guardians: readonly string[];
}

/** False if a minor's AI agrees with an AI that belongs to neither the minor nor a guardian. */
export function isFamily(sides: readonly Guarded[]): boolean {
  return sides
    .filter(({ minor }) => minor)
    .every((child) =>
      sides.every(({ person }) => person === child.person || child.guardians.includes(person)),
    );
}
