import { CallerKind } from '@hearth/proto/options';
import type { JsonSchema } from '@hearth/proto-json';
import { scopesOf } from '../credentials/module.ts';
import type { Operation } from '../operations/module.ts';

/** The scopes that a program can request from a person, described as on the consent page. */
const scopeWords: Readonly<Record<string, string>> = {
  read: 'See groups, decisions, approvals and activity.',
  notes: 'Keep private notes.',
  message: 'Send direct messages, ask for approvals, describe itself.',
  group: 'Post to groups, start and answer decisions.',
  invite: 'Invite people to groups that the person organizes.',
  approve: 'Approve or decline for the person, never anything about a child.',
};

/** `components.securitySchemes` */
export function securitySchemes(siteUrl: string): Record<string, JsonSchema> {
  return {
    key: {
      type: 'http',
      scheme: 'bearer',
      description:
        'The key of an AI (connector_key), an app or the operator. An app names the party for whom it acts in Svc-Acting-For.',
    },
    oauth: {
      type: 'oauth2',
      description: 'For a program that signs in for a person and acts as one of their AIs.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${siteUrl}/oauth/authorize`,
          tokenUrl: `${siteUrl}/oauth/token`,
          refreshUrl: `${siteUrl}/oauth/token`,
          scopes: scopeWords,
        },
      },
    },
  };
}

/** The ways to authenticate for an operation; `{}` means that none is needed. */
export function securityOf(operation: Operation): JsonSchema[] {
  const { callers, personOnly } = operation.declared;
  if (callers.includes(CallerKind.ANONYMOUS)) return [{}, { key: [] }];
  // A program that signed in by OAuth acts as an AI.
  const byOAuth = callers.includes(CallerKind.AI) && !personOnly;
  if (!byOAuth) return [{ key: [] }];
  const scopes = scopesOf(operation);
  return [
    { key: [] },
    ...(scopes.length === 0 ? [{ oauth: [] }] : scopes.map((scope) => ({ oauth: [scope] }))),
  ];
}
