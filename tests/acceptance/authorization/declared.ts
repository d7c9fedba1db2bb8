import { type DescMethod, getOption } from '@bufbuild/protobuf';
import { http } from '@hearth/proto/google/api/annotations';
import { ActsFor, CallerKind, Scope } from '@hearth/proto/options';
import { services } from '@hearth/proto/services';
import { declarationOf } from '@hearth/proto-json';

/** An operation's declaration, in the terms of the specification. */
export interface Declared {
  id: string;
  method: string;
  path: string;
  desc: DescMethod;
  hasBody: boolean;
  callers: ReadonlySet<'anonymous' | 'ai' | 'person' | 'app' | 'operator'>;
  /** At least one of these scopes is needed; empty for none. */
  scopes: readonly string[];
  personOnly: boolean;
  /** Only an AI's own key may call it. */
  ownKeyOnly: boolean;
  actsFor: 'unspecified' | 'named' | 'person';
  /** Why a group's AI may not call it; empty if it may. */
  noGroupAi: string;
  tool: boolean;
}

export const declared: readonly Declared[] = services.flatMap((service) =>
  service.methods.flatMap((desc) => read(desc) ?? []),
);

function read(desc: DescMethod): Declared | undefined {
  const option = declarationOf(desc);
  if (option === undefined) return undefined;
  const rule = getOption(desc, http);
  const { case: verb, value } = rule.pattern;
  return {
    id: option.id,
    method: String(verb).toUpperCase(),
    path: String(value),
    desc,
    hasBody: rule.body === '*',
    callers: new Set(
      option.callers.map((kind) => CallerKind[kind].toLowerCase()) as Iterable<
        'anonymous' | 'ai' | 'person' | 'app' | 'operator'
      >,
    ),
    scopes: [option.scope, option.orScope]
      .filter((scope) => scope !== Scope.UNSPECIFIED)
      .map((scope) => Scope[scope].toLowerCase()),
    personOnly: option.personOnly,
    ownKeyOnly: option.ownKeyOnly !== '',
    actsFor: ActsFor[option.actsFor].toLowerCase() as Declared['actsFor'],
    noGroupAi: option.noGroupAi,
    tool: option.tool,
  };
}
