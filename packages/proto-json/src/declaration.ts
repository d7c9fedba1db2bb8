import { clone, type DescMethod, getOption, hasOption } from '@bufbuild/protobuf';
import { http } from '@hearth/proto/google/api/annotations';
import { CallerKind, type Operation, OperationSchema, operation, RateClass } from '@hearth/proto/options';

/** The (hearth.operation) of an rpc with defaults filled in; undefined for an internal rpc. */
export function declarationOf(method: DescMethod): Operation | undefined {
  if (!hasOption(method, operation)) return undefined;
  const declared = clone(OperationSchema, getOption(method, operation));
  if (declared.callers.length === 0) {
    declared.callers = declared.personOnly
      ? [CallerKind.PERSON, CallerKind.APP]
      : [CallerKind.AI, CallerKind.PERSON, CallerKind.APP];
  }
  if (declared.rate === RateClass.UNSPECIFIED) {
    const readsOnly = getOption(method, http).pattern.case === 'get';
    declared.rate = readsOnly ? RateClass.READ : RateClass.WRITE;
  }
  return declared;
}
