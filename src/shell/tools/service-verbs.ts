import type { Call } from '../call.ts';
import type { Tool } from '../tool.ts';

/** Words with which service tools take something away, alone or as `delete-bucket`, `bucket_delete`. */
export const DESTRUCTIVE: RegExp =
  /^(?:batch-delete|bulk-delete|delete|destroy|remove|rm|rb|purge|drop|terminate|deregister|disable|revoke|prune|wipe|erase|uninstall|reset|rollback|drain|cordon|evict|forget|unregister|del|truncate|flush|empty|detach|deletefile|rmdir|rmdirs|cleanup|undeploy|rdelete|compact|archive|expire|clear|cancel|abandon|unsubscribe|deprovision|decommission)(?:[-_:.].*)?$|[-_:.](?:delete|destroy|remove|purge|prune|drop|reset|wipe|deletion)$/;
const CHANGING =
  /^(?:apply|create|update|put|patch|replace|edit|set|import|deploy|scale|restart|stop|move|sync|install|upgrade|rollout|taint|untaint|label|annotate|attach|modify|restore|promote|publish|enable|rotate|exec|run|cp)(?:[-_].*)?$/;

/** As interfaces for programs spell it: `DeleteInstance`. */
const API_VERB = /^(?:Delete|Destroy|Terminate|Release|Remove|Purge|Drop)[A-Z]\w+$/;

/** `--delete`, `--remove`, `--purge`: the same said with an option. */
const DESTRUCTIVE_OPTION =
  /^-{1,2}(?:delete|remove|purge|prune|destroy|force-destroy|delete-config|wipe)(?:-.*)?$/;
/** As services call it; a program that does not know the option refuses it. */
export const DRY_RUN: readonly string[] = ['--dry-run', '--dryrun', '--list-only', '--what-if', '--noop'];

/** Says what a service's own command line does, from its words. */
export function service(system: string): (call: Call) => undefined {
  return (call) => {
    const words = [...call.command.sub, ...call.operands.slice(0, 2).map((word) => word.text ?? '')];
    const verb =
      words.find((word) => DESTRUCTIVE.test(word)) ??
      words.find((word) => CHANGING.test(word)) ??
      call.command.sub[0] ??
      '';
    const option =
      call.command.options.some(({ name }) => DESTRUCTIVE_OPTION.test(name)) ||
      call.command.argv.slice(1, 4).some(({ template }) => API_VERB.test(template));
    const rest = call.operands.map((word) => word.text ?? '?').join(' ');
    call.resource(
      system,
      verb,
      !call.command.inert && (DESTRUCTIVE.test(verb) || option),
      [...call.command.sub, rest].join(' ').trim() || null,
    );
    if (!LOCAL.has(call.name)) call.network({ url: null });
    return undefined;
  };
}

/** Verbs that leave no doubt, whoever says them. */
const FINAL =
  /^(?:delete|destroy|purge|terminate|drop|wipe|erase|nuke|deprovision|decommission|rm-?all|remove-all)(?:[-_:.].*)?$|[-_:.](?:delete|destroy|purge|terminate|drop)$/;

/** A command line that nobody has described, of the form `tool noun… verb name`: it takes away what it says it does. */
export function undescribed(call: Call): void {
  const words = call.operands.slice(0, 3).map(({ template }) => template);
  const verb = words.find((word) => FINAL.test(word) || API_VERB.test(word));
  if (verb !== undefined) call.resource('undescribed', verb.toLowerCase(), true, words.join(' '));
}

/** They mostly touch what is on this machine, or say themselves whom they talk to. */
const LOCAL: ReadonlySet<string> = new Set([
  'gh',
  'terraform',
  'tofu',
  'terragrunt',
  'pulumi',
  'minikube',
  'kind',
  'vagrant',
  'borg',
  'restic',
]);

export const words = (system: string, options = '', sub = 2): Tool => ({
  options,
  sub,
  dryRun: DRY_RUN,
  run: service(system),
});
