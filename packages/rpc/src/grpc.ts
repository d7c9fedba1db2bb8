export { createRemoteChannel, type RemoteChannelOptions } from './remote-channel.ts';
export { createRpcServer, type RpcServer, type RpcServerOptions } from './server.ts';
