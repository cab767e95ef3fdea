/** The service as a whole, for its operators. */
import { NotHere } from '../frame/not-here.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { AuditPanel } from '../settings/audit.tsx';
import { Accounts } from './accounts.tsx';
import { Everybody } from './everybody.tsx';
import { Findings } from './findings.tsx';
import { Health } from './health.tsx';
import { Limits } from './limits.tsx';

export function ServicePage() {
  const { t } = useReader();
  const { person } = usePerson();
  if (!person?.isOperator) return <NotHere />;
  return (
    <>
      <PageHead title={t('nav.service')} detail={t('service.what')} />
      <Accounts />
      <Everybody />
      <Health />
      <Findings />
      <Limits />
      <AuditPanel
        name="service-audit"
        title={t('service.audit')}
        read={(parameters, options) => server.manage.serviceAudit(parameters, options)}
      />
    </>
  );
}
