import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { parseId } from '@hearth/ids';
import { type Caller, CallerSchema, Proof, Via } from '@hearth/proto/common/v1/caller';
import type { CreatePersonRequestSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand, type Person } from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';
import { asApp, eventually } from '@hearth/testkit';
import { createPeopleContext } from '../src/people/module.ts';
import { createParts } from '../src/shared/actions/parts.ts';
import { addApp } from './persons.ts';
import type { TestIdentity } from './start-identity.ts';

export interface TestApp {
  uuid: string;
  /** The app's own key. */
  caller: Caller;
  /** The app acting for a person. */
  actingFor(person: string): Caller;
}

/** An app of the home. */
export async function newApp(home: TestIdentity, { minors = true } = {}): Promise<TestApp> {
  const uuid = await addApp(home, { name: 'App', minors });
  return {
    uuid,
    caller: asApp(uuid, { name: 'App' }),
    actingFor: (id) =>
      create(CallerSchema, { kind: CallerKind.PERSON, id, app: uuid, via: Via.APP, proof: Proof.TAP }),
  };
}

type Session = Partial<Pick<Caller, 'guest' | 'minor'>> & { authenticatedAt?: number };

export interface HeldPerson {
  uuid: string;
  /** per_... */
  id: string;
  handle: string;
  person: Person;
  /** Signed in on the home's own pages a moment ago. */
  web(session?: Session): Caller;
}

/** A person held by that app, by default an adult. */
export async function newPerson(
  { by, clock }: TestIdentity,
  app: Pick<TestApp, 'caller'>,
  wanted: MessageInitShape<typeof CreatePersonRequestSchema> = {},
): Promise<HeldPerson> {
  const person = await by(app).createPerson({
    name: 'Ann Smith',
    ...(wanted.birthYearMonth === undefined && { ageBand: AgeBand.ADULT }),
    ...wanted,
  });
  const uuid = parseId('per', person.id)!;
  return {
    uuid,
    id: person.id,
    handle: person.handle!,
    person,
    web: ({ authenticatedAt = clock.now(), ...rest } = {}) =>
      webCaller(uuid, { authenticatedAt, minor: person.ageBand !== AgeBand.ADULT, ...rest }),
  };
}

export function webCaller(id: string, { authenticatedAt = 0, ...rest }: Session = {}): Caller {
  return create(CallerSchema, {
    ...{ kind: CallerKind.PERSON, id, session: id, via: Via.WEB, proof: Proof.PASSKEY },
    authenticatedAt: BigInt(authenticatedAt),
    ...rest,
  });
}

/** A person's AI. */
export function aiOf(person: string, ai = person): Caller {
  return create(CallerSchema, { kind: CallerKind.AI, id: ai, person, via: Via.API });
}

/** The announced changes of a person, oldest first. */
export async function changesOf({ announced }: TestIdentity, uuid: string) {
  const changes = (await announced('personChanged')).map(({ data }) => data.value);
  return changes.filter(({ person }) => person?.id === uuid);
}

/** A person's facts as other services see them; undefined once the account is gone. */
export async function factsOf({ fromGroups }: TestIdentity, uuid: string) {
  return (await fromGroups.findPeople({ ids: [uuid] })).results[0]!.facts;
}

/** The context of the people rpcs and jobs. */
export function contextOf({ host }: TestIdentity) {
  const identity = host('identity');
  return createPeopleContext(identity, { ...createParts(identity), claimGuest: async () => ({}) });
}

/** Resolves once that signal was heard; signals are delivered separately from answers. */
export const heard = ({ signalled }: TestIdentity, subject: 'people' | 'credentials', uuid: string) =>
  eventually(() => signalled[subject].includes(uuid));
