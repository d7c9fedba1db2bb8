import { HearthError } from '@hearth/errors';
import { paths } from '@hearth/web';
import { type Operation, parseTemplate } from '../operations/module.ts';
import { RouteTree } from './route-tree.ts';

/** The error for an unknown path. */
export type NoSuchPath = (path: string) => HearthError;

const documents = [paths.openApi, paths.guide, paths.homeDocument, paths.webhookKeys, paths.mcp];

export function createNoSuchPath(operations: readonly Operation[]): NoSuchPath {
  const known = new RouteTree<true>();
  const ofOperations = operations.flatMap(({ bindings }) => bindings.map(({ template }) => template));
  for (const template of new Set([...ofOperations, ...documents]))
    known.add('', parseTemplate(template), true);

  return (path) => {
    // Many clients leave out the common prefix of all operations.
    const near = known.nearest(path) ?? known.nearest(`/v0${path}`);
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    return new HearthError(
      'not_found',
      `there is no such path${hint || '.'} GET ${paths.openApi} has them all`,
      { code: 'not_found' },
    );
  };
}
