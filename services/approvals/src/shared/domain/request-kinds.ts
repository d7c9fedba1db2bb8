import { enumNames } from '@hearth/enum-names';
import { RequestKind, RequestKindSchema } from '@hearth/proto/approvals/v1/approvals';

/** The kinds of a request to a stranger, as tables and rules name them. */
export const requestKinds = ['personal', 'introduction', 'recruiting', 'sales', 'offer', 'other'] as const;

export type RequestKindName = (typeof requestKinds)[number];

const declared = enumNames(RequestKindSchema);

/** `other` where no kind was given. */
export function kindNameOf(kind: RequestKind | undefined): RequestKindName {
  return kindOf(declared.nameOf(kind ?? RequestKind.OTHER)) ?? 'other';
}

export function kindValueOf(name: string): RequestKind {
  return declared.valueOf(name) || RequestKind.OTHER;
}

/** The kind of that name; null where there is none. */
export function kindOf(name: string): RequestKindName | null {
  return requestKinds.find((kind) => kind === name) ?? null;
}
