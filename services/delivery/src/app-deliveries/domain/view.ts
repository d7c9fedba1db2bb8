import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { type People, shieldId } from '@hearth/people';
import { AiStatus, type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import type { AiSnapshot, GroupSnapshot, PersonSnapshot } from '@hearth/proto/events/v1/events';
import type { GroupFacts, GroupSchema } from '@hearth/proto/groups/v1/groups';
import type { AiFacts } from '@hearth/proto/identity/v1/ais';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import {
  AgeBand,
  type AiSchema,
  PersonKind,
  type PersonSchema,
  Platform,
} from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';
import type { Sealer } from '@hearth/sealing';
import type { NamedPerson, View } from '../../events/module.ts';

/** The current facts of the people and things that events name; missing entries were deleted. */
export interface Facts {
  people: ReadonlyMap<string, PersonFacts>;
  groups: ReadonlyMap<string, GroupFacts>;
  ais: ReadonlyMap<string, AiFacts>;
}

export interface ViewContext {
  people: Pick<People, 'show' | 'idFor'>;
  sealer: Pick<Sealer, 'derive'>;
  siteUrl: string;
}

/** Returns what one app sees; deleted people and things are shown from the event's own snapshot. */
export function viewOf(context: ViewContext, app: string, known: Facts): View {
  const { people, sealer, siteUrl } = context;
  const caller: Caller = create(CallerSchema, { kind: CallerKind.APP, id: app, app });
  const printPerson = (id: string) => printId('per', id);

  function personId({ id, minor, app: holder }: NamedPerson): string {
    const facts = known.people.get(id);
    if (facts !== undefined) return people.idFor(facts, caller);
    return minor && holder !== app ? shieldId(sealer, app, id) : printPerson(id);
  }

  function person(snapshot: PersonSnapshot): MessageInitShape<typeof PersonSchema> {
    const facts = known.people.get(snapshot.id);
    return facts === undefined ? gone(snapshot) : people.show(facts, caller);
  }

  function gone({ id, name, handle, minor }: PersonSnapshot): MessageInitShape<typeof PersonSchema> {
    const shown = personId({ id, minor });
    return minor
      ? { id: shown, address: shown, name, kind: PersonKind.PERSON, shielded: true }
      : { id: shown, address: `@${handle}`, handle, name, kind: PersonKind.PERSON, ageBand: AgeBand.ADULT };
  }

  function ai(snapshot: AiSnapshot, status: string): MessageInitShape<typeof AiSchema> {
    const facts = known.ais.get(snapshot.id);
    const { owner } = snapshot;
    const holdsOwner = known.people.get(owner)?.app === app;
    const shown = owner === '' || (snapshot.ownerPrivate && !holdsOwner) ? null : owner;
    return {
      id: printId('ai', snapshot.id),
      ...present(snapshot, facts),
      platform: facts?.platform ?? Platform.OTHER,
      ...(shown !== null && { owner: personId({ id: shown, minor: false }) }),
      ownerPrivate: snapshot.ownerPrivate,
      status: AiStatus[status.toUpperCase() as keyof typeof AiStatus] ?? AiStatus.UNSPECIFIED,
      revoked: facts?.revoked ?? true,
      ...(snapshot.group !== '' && { group: printId('grp', snapshot.group) }),
    };
  }

  return {
    app,
    personId,
    person,
    ai,
    holds: (id) => known.people.get(id)?.app === app,
    group: (snapshot) => groupShown(snapshot, known.groups.get(snapshot.id)),
    isIn: (group) => known.groups.get(group)?.apps.includes(app) ?? false,
    page: (path) => `${siteUrl}${path}`,
  };
}

/**
 * Returns the AI's current details, unless its owner has changed: an app that knows the former owner's AI
 * must not see the new owner's.
 */
function present(snapshot: AiSnapshot, facts: AiFacts | undefined) {
  const { address, name, permissions } =
    facts !== undefined && facts.owner === snapshot.owner ? facts : { ...snapshot, permissions: [] };
  return { address, name, permissions };
}

function groupShown(
  snapshot: GroupSnapshot,
  facts: GroupFacts | undefined,
): MessageInitShape<typeof GroupSchema> {
  const { id, handle, name, app } = facts ?? snapshot;
  const always = {
    id: printId('grp', id),
    address: `&${handle}`,
    name,
    ...(app !== '' && { app: printId('app', app) }),
  };
  if (facts === undefined) return { ...always, archived: true };
  const { groupAi, createdBy, settings, archived, endsAt, hasMinors, timeZone, parent } = facts;
  return {
    ...always,
    groupAi: printId('ai', groupAi),
    // A group's creator is an adult, with the same id for every viewer.
    ...(createdBy !== '' && { createdBy: printId('per', createdBy) }),
    ...(settings !== undefined && { settings }),
    archived,
    ...(endsAt !== undefined && { endsAt }),
    hasMinors,
    timeZone,
    ...(parent !== '' && { parent: printId('grp', parent) }),
  };
}
