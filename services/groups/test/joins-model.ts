import type { PersonFacts } from '@hearth/proto/identity/v1/people';

/** A join request, as the rules of roles have it now. */
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
  /** uuid of the guardian who agreed, and guards the joiner since. */
  guardian: string | null;
}

/** The rules of roles in a group, told again in few words. People are uuids. */
export class JoinsModel {
  readonly roles = new Map<string, 'organizer' | 'member'>();
  readonly joins: Join[] = [];
  readonly child: PersonFacts;
  guardians: string[];
  /** The owner of the AI that acts. */
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
    return [...this.roles.keys()].filter((one) => this.leads(one));
  }

  guards(person: string, { joiner }: Join): boolean {
    return joiner === this.child && this.guardians.includes(person);
  }

  /** The word of a guardian is gone with their role, also when they come back. */
  guardiansChanged(guardians: string[]): void {
    this.guardians = guardians;
    for (const join of this.joins)
      if (join.guardian !== null && !this.guards(join.guardian, join)) join.guardian = null;
  }

  waiting(): Join[] {
    return this.joins.filter(({ waits }) => waits);
  }

  /** The approvers whose word is missing now, the guardian first. */
  missing(join: Join): ('guardian' | 'organizer')[] {
    const { guardian, joiner, organizer } = join;
    const agreed = joiner !== this.child || guardian !== null;
    return [...(agreed ? [] : ['guardian' as const]), ...(organizer === null ? ['organizer' as const] : [])];
  }

  /** Ends the join requests that wait; those who are told. */
  archive(by: string | null): string[] {
    this.archived = true;
    this.archivedBy = by;
    return this.waiting().flatMap((join) => {
      join.waits = false;
      return this.tellers(join);
    });
  }

  /** A word of a person who has a say; those who are told. */
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

  /** Those who are told of what becomes of a joiner. */
  private tellers({ joiner }: Join): string[] {
    return joiner === this.child ? this.guardians : [joiner.id];
  }
}
