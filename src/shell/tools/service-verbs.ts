import type { Call } from '../call.ts';

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
/** Says what a service's own command line does, from its words. */
export function service(system: string, offline = false): (call: Call) => undefined {
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
    if (!offline) call.network({ url: null });
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
