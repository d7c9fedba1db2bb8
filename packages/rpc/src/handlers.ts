import type { DescMethod, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { Call } from './call.ts';

type Input<M extends DescMethod> = MessageShape<M['input']>;
type Output<M extends DescMethod> = MessageInitShape<M['output']>;

export type UnaryHandler<M extends DescMethod> = (request: Input<M>, call: Call) => Promise<Output<M>>;

export type BidiHandler<M extends DescMethod> = (
  requests: AsyncIterable<Input<M>>,
  call: Call,
) => AsyncIterable<Output<M>>;

/** One function per rpc of a service, with the rpc's name. */
export type Handlers<S extends DescService> = {
  [Name in keyof S['method']]: S['method'][Name] extends { methodKind: 'bidi_streaming' }
    ? BidiHandler<S['method'][Name]>
    : UnaryHandler<S['method'][Name]>;
};
