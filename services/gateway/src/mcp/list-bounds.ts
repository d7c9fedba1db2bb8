import { Scope } from '@hearth/proto/options';

/** A model reads all of tools/list: the most bytes that it may have for an AI with these permissions, and a tool on average. */
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
