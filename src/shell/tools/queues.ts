import type { ToolTable } from '../tool.ts';
import { words } from './service-verbs.ts';

/** Command lines of queues and brokers. */
export const QUEUES: ToolTable = {
  'kafka-topics': words(
    'queue',
    'bootstrap-server= zookeeper= topic= partitions= replication-factor= config= delete list describe create alter',
    0,
  ),
  'kafka-consumer-groups': words(
    'queue',
    'bootstrap-server= group= topic= delete list describe reset-offsets execute',
    0,
  ),
  'kafka-configs': words(
    'queue',
    'bootstrap-server= alter delete-config= add-config= entity-type= entity-name= describe',
    0,
  ),
  'kafka-acls': words('queue', 'bootstrap-server= remove add list topic= operation= allow-principal=', 0),
  'kafka-delete-records': {
    options: 'bootstrap-server= offset-json-file=',
    run: (call) => void call.resource('queue', 'delete-records', true, null),
  },
  rabbitmqctl: words('queue', 'n,node= p= q,quiet', 1),
  rabbitmqadmin: words('queue', 'H,host= u,username= p,password= V,vhost= f,format=', 2),
  nats: words('queue', 's,server= f,force purge context= creds=', 2),
};
