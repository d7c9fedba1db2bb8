import { create } from '@bufbuild/protobuf';
import { isHearthError } from '@hearth/errors';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind, OperationSchema, Scope } from '@hearth/proto/options';
import { describe, expect, test } from '@jest/globals';
import type { Operation } from '../operations.ts';
import { permissionOf } from './permission.ts';

const kinds = [CallerKind.ANYONE, CallerKind.AI, CallerKind.PERSON, CallerKind.APP, CallerKind.OPERATOR];

function outcome(declared: object, kind: CallerKind, scopes: Scope[] = []): string {
  const check = permissionOf({ declared: create(OperationSchema, declared) } as Operation);
  try {
    check(create(CallerSchema, { kind, scopes }));
    return 'may';
  } catch (error) {
    if (!isHearthError(error)) throw error;
    return error.details.needsPerson ? 'needs_person' : error.kind;
  }
}

const table = (declared: object, scopes?: Scope[]) => kinds.map((kind) => outcome(declared, kind, scopes));

describe('who may call (anyone, AI, person, app, operator)', () => {
  test('without a credential', () => {
    expect(table({ callers: [CallerKind.ANYONE] })).toEqual(['may', 'may', 'may', 'may', 'may']);
  });

  test('only the kinds declared', () => {
    expect(table({ callers: [CallerKind.APP] })).toEqual([
      'unauthenticated',
      'forbidden',
      'forbidden',
      'may',
      'forbidden',
    ]);
  });

  test('AIs and people with the scope; apps and the operator need none', () => {
    const declared = { callers: kinds.slice(1), scope: Scope.GROUP };
    expect(table(declared, [Scope.READ])).toEqual([
      'unauthenticated',
      'forbidden',
      'forbidden',
      'may',
      'may',
    ]);
    expect(table(declared, [Scope.GROUP])).toEqual(['unauthenticated', 'may', 'may', 'may', 'may']);
  });

  test('a person must', () => {
    const declared = { callers: kinds.slice(1, 3), personOnly: true, scope: Scope.APPROVE };
    expect(table(declared, [Scope.APPROVE])).toEqual([
      'unauthenticated',
      'needs_person',
      'may',
      'forbidden',
      'forbidden',
    ]);
  });
});
