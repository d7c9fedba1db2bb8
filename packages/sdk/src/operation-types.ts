import type { Operations } from './operations.ts';

export type OperationName = keyof Operations;

/** The input of an operation. */
export type InputOf<Name extends OperationName> = NonNullable<Parameters<Operations[Name]>[0]>;

export type AnswerOf<Name extends OperationName> = Awaited<ReturnType<Operations[Name]>>;
