import { Scope } from '@hearth/proto/options';

/** The maximum bytes of tools/list for an AI with these permissions, and of a tool on average. A model reads all of it. */
export const listBounds = [
  {
    as: 'an AI with the usual permissions',
    scopes: [Scope.READ, Scope.MESSAGE],
    bytes: 20_000,
    bytesOfEach: 500,
  },
  {
    as: 'an AI with all permissions',
    scopes: [Scope.READ, Scope.NOTES, Scope.MESSAGE, Scope.GROUP, Scope.INVITE, Scope.APPROVE],
    bytes: 26_000,
    bytesOfEach: 540,
  },
] as const;
