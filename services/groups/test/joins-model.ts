import type { PersonFacts } from '@hearth/proto/identity/v1/people';

/** A join request under the current roles. */
export interface Join {
  joiner: PersonFacts;
  /** uuid of its invite. */
  invite: string;
  code: string;
  /** uuid of the organizer who made its invite. */
  inviter: string;
  waits: boolean;
  /** uuid of the organizer who agreed. */
  organizer: string | null;
  /** uuid of the guardian who agreed, and has guarded the joiner since. */
  guardian: string | null;
}

/** The rules of roles in a group, as a simple model. People are uuids. */
export class JoinsModel {
  readonly roles = new Map<string, 'organizer' | 'member'>();
  readonly joins: Join[] = [];
  readonly child: PersonFacts;
  guardians: string[];
  /** The owner of the acting AI. */
  owner: PersonFacts;
  archived = false;
  archivedBy: string | null = null;

  constructor(child: PersonFacts, organizer: PersonFacts) {
    this.child = child;
    this.guardians = [...child.guardians];
    this.owner = organizer;
    this.roles.set(organizer.id, 'organizer');
  }

  leads(person: string): boolean {
    return this.roles.get(person) === 'organizer';
  }

  organizers(): string[] {
    return [...this.roles.keys()].filter((person) => this.leads(person));
  }

  guards(person: string, { joiner }: Join): boolean {
    return joiner === this.child && this.guardians.includes(person);
  }

  /** A guardian's agreement ends with their role, even if they become guardian again. */
  guardiansChanged(guardians: string[]): void {
    this.guardians = guardians;
    for (const join of this.joins)
      if (join.guardian !== null && !this.guards(join.guardian, join)) join.guardian = null;
  }

  waiting(): Join[] {
    return this.joins.filter(({ waits }) => waits);
  }

  /** The approvers who have not agreed yet, the guardian first. */
  missing(join: Join): ('guardian' | 'organizer')[] {
    const { guardian, joiner, organizer } = join;
    const agreed = joiner !== this.child || guardian !== null;
    return [...(agreed ? [] : ['guardian' as const]), ...(organizer === null ? ['organizer' as const] : [])];
  }

  /** Ends the pending join requests; returns the people notified. */
  archive(by: string | null): string[] {
    this.archived = true;
    this.archivedBy = by;
    return this.waiting().flatMap((join) => {
      join.waits = false;
      return this.tellers(join);
    });
  }

  /** An answer by a person with a say; returns the people notified. */
  said(join: Join, who: string, approved: boolean): string[] {
    const { inviter, joiner } = join;
    const told = this.tellers(join).filter((teller) => approved || teller !== who);
    if (!approved) {
      join.waits = false;
      return [...told, ...(inviter !== who && this.leads(inviter) ? [inviter] : [])];
    }
    const before = this.missing(join);
    if (this.leads(who) && before.includes('organizer')) join.organizer = who;
    if (this.guards(who, join) && before.includes('guardian')) join.guardian = who;
    if (this.missing(join).length > 0) return [];
    join.waits = false;
    this.roles.set(joiner.id, 'member');
    return told;
  }

  /** The people notified of a joiner's outcome. */
  private tellers({ joiner }: Join): string[] {
    return joiner === this.child ? this.guardians : [joiner.id];
  }
}
