import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { isMinor } from '@hearth/people';
import { type Caller, CallerSchema, Proof, Via } from '@hearth/proto/common/v1/caller';
import type { AiFacts } from '@hearth/proto/identity/v1/ais';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { CallerKind, Scope } from '@hearth/proto/options';

type CallerFields = MessageInitShape<typeof CallerSchema>;

const allScopes = [Scope.READ, Scope.NOTES, Scope.MESSAGE, Scope.GROUP, Scope.INVITE, Scope.APPROVE];

/** A person through the app that holds them; with `app: ''` a person signed in on the home's own pages. */
export function asPerson(person: PersonFacts, fields: CallerFields = {}): Caller {
  const app = fields.app ?? person.app;
  return create(CallerSchema, {
    kind: CallerKind.PERSON,
    id: person.id,
    app,
    address: `@${person.handle}`,
    name: person.name,
    scopes: allScopes,
    via: app === '' ? Via.WEB : Via.APP,
    minor: isMinor(person),
    proof: Proof.TAP,
    ...fields,
  });
}

/** An AI by its key. The test sets `minor`; `world.asAi` derives it. */
export function asAi(ai: AiFacts, fields: CallerFields = {}): Caller {
  return create(CallerSchema, {
    kind: CallerKind.AI,
    id: ai.id,
    address: ai.address,
    name: ai.name,
    aiStatus: ai.status,
    scopes: ai.permissions,
    person: ai.owner,
    group: ai.group,
    via: Via.API,
    ...fields,
  });
}

/** An app calling by its own key. */
export function asApp(app: string, fields: CallerFields = {}): Caller {
  return create(CallerSchema, { kind: CallerKind.APP, id: app, app, via: Via.APP, ...fields });
}

/** A caller without a credential from this network. */
export function asAnonymous(network: string): Caller {
  return create(CallerSchema, { kind: CallerKind.ANONYMOUS, network });
}

export const operator: Caller = create(CallerSchema, { kind: CallerKind.OPERATOR });
