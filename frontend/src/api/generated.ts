import { rootApi as api } from "./root";
export const addTagTypes = [
  "Accounting",
  "Closures",
  "Documents",
  "Agencies",
  "Agents",
  "Approvals",
  "Audit",
  "Session",
  "Customers",
  "Dashboard",
  "Dealers",
  "Movements",
  "Live",
  "Feed",
  "Files",
  "Imports",
  "Keys",
  "Limits",
  "World",
  "Places",
  "Currencies",
  "PaymentGroups",
  "Office",
  "Rates",
  "Remittances",
  "Quotes",
  "Reports",
  "Screening",
  "Second factor",
  "Debits",
  "Users",
  "Profile",
  "Webhooks",
] as const;
const injectedRtkApi = api
  .enhanceEndpoints({
    addTagTypes,
  })
  .injectEndpoints({
    endpoints: (build) => ({
      listAccountBalances: build.query<
        ListAccountBalancesApiResponse,
        ListAccountBalancesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/accounting/balances`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            from: queryArg["from"],
            to: queryArg.to,
            at: queryArg.at,
            position: queryArg.position,
            kind: queryArg.kind,
            code: queryArg.code,
            ownerId: queryArg.ownerId,
            paymentGroupId: queryArg.paymentGroupId,
            currency: queryArg.currency,
          },
        }),
        providesTags: ["Accounting"],
      }),
      listClosures: build.query<ListClosuresApiResponse, ListClosuresApiArg>({
        query: (queryArg) => ({
          url: `/api/accounting/closures`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            partyId: queryArg.partyId,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            at: queryArg.at,
            position: queryArg.position,
          },
        }),
        providesTags: ["Closures"],
      }),
      closePeriod: build.mutation<ClosePeriodApiResponse, ClosePeriodApiArg>({
        query: (queryArg) => ({
          url: `/api/accounting/closures`,
          method: "POST",
          body: queryArg.closureInput,
        }),
        invalidatesTags: ["Closures"],
      }),
      getClosure: build.query<GetClosureApiResponse, GetClosureApiArg>({
        query: (queryArg) => ({
          url: `/api/accounting/closures/${queryArg.id}`,
        }),
        providesTags: ["Closures"],
      }),
      getClosureStatement: build.query<
        GetClosureStatementApiResponse,
        GetClosureStatementApiArg
      >({
        query: (queryArg) => ({
          url: `/api/accounting/closures/${queryArg.id}/statement`,
        }),
        providesTags: ["Documents"],
      }),
      listEntries: build.query<ListEntriesApiResponse, ListEntriesApiArg>({
        query: (queryArg) => ({
          url: `/api/accounting/entries`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            account: queryArg.account,
            kind: queryArg.kind,
            ownerId: queryArg.ownerId,
            currency: queryArg.currency,
            from: queryArg["from"],
            to: queryArg.to,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            at: queryArg.at,
            position: queryArg.position,
            cause: queryArg.cause,
            eventType: queryArg.eventType,
          },
        }),
        providesTags: ["Accounting"],
      }),
      exportLedger: build.query<ExportLedgerApiResponse, ExportLedgerApiArg>({
        query: (queryArg) => ({
          url: `/api/accounting/export`,
          params: {
            format: queryArg.format,
          },
        }),
        providesTags: ["Accounting"],
      }),
      listPartyBalances: build.query<
        ListPartyBalancesApiResponse,
        ListPartyBalancesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/accounting/party_balances`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            at: queryArg.at,
            position: queryArg.position,
            userType: queryArg.userType,
            partyId: queryArg.partyId,
            agencyId: queryArg.agencyId,
            dealerId: queryArg.dealerId,
          },
        }),
        providesTags: ["Accounting"],
      }),
      listRealBalances: build.query<
        ListRealBalancesApiResponse,
        ListRealBalancesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/accounting/real_balances`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            at: queryArg.at,
            position: queryArg.position,
            currency: queryArg.currency,
          },
        }),
        providesTags: ["Accounting"],
      }),
      listAgencies: build.query<ListAgenciesApiResponse, ListAgenciesApiArg>({
        query: (queryArg) => ({
          url: `/api/agency`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            isActive: queryArg.isActive,
            deleted: queryArg.deleted,
          },
        }),
        providesTags: ["Agencies"],
      }),
      createAgency: build.mutation<CreateAgencyApiResponse, CreateAgencyApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/agency`,
            method: "POST",
            body: queryArg.agencyInput,
          }),
          invalidatesTags: ["Agencies"],
        },
      ),
      updateAgency: build.mutation<UpdateAgencyApiResponse, UpdateAgencyApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/agency`,
            method: "PUT",
            body: queryArg.agencyChangeInput,
          }),
          invalidatesTags: ["Agencies"],
        },
      ),
      listAgencyBalanceAssignments: build.query<
        ListAgencyBalanceAssignmentsApiResponse,
        ListAgencyBalanceAssignmentsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/agency/balance_assignments`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            partyId: queryArg.partyId,
            AgencyId: queryArg.agencyId,
            AgentId: queryArg.agentId,
            dealerId: queryArg.dealerId,
            kind: queryArg.kind,
            reversed: queryArg.reversed,
            currency: queryArg.currency,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
          },
        }),
        providesTags: ["Agencies"],
      }),
      setAgencyTerms: build.mutation<
        SetAgencyTermsApiResponse,
        SetAgencyTermsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/agency/exchange_rate/${queryArg.id}`,
          method: "PUT",
          body: queryArg.termsInput,
        }),
        invalidatesTags: ["Agencies"],
      }),
      getAgency: build.query<GetAgencyApiResponse, GetAgencyApiArg>({
        query: (queryArg) => ({ url: `/api/agency/${queryArg.id}` }),
        providesTags: ["Agencies"],
      }),
      deactivateAgency: build.mutation<
        DeactivateAgencyApiResponse,
        DeactivateAgencyApiArg
      >({
        query: (queryArg) => ({
          url: `/api/agency/${queryArg.id}`,
          method: "PUT",
        }),
        invalidatesTags: ["Agencies"],
      }),
      listAgents: build.query<ListAgentsApiResponse, ListAgentsApiArg>({
        query: (queryArg) => ({
          url: `/api/agent`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            AgentType: queryArg.agentType,
            AgencyId: queryArg.agencyId,
            isActive: queryArg.isActive,
            deleted: queryArg.deleted,
          },
        }),
        providesTags: ["Agents"],
      }),
      createAgent: build.mutation<CreateAgentApiResponse, CreateAgentApiArg>({
        query: (queryArg) => ({
          url: `/api/agent`,
          method: "POST",
          body: queryArg.agentInput,
        }),
        invalidatesTags: ["Agents"],
      }),
      listAgentBalanceAssignments: build.query<
        ListAgentBalanceAssignmentsApiResponse,
        ListAgentBalanceAssignmentsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/agent/balance_assignments`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            partyId: queryArg.partyId,
            AgencyId: queryArg.agencyId,
            AgentId: queryArg.agentId,
            dealerId: queryArg.dealerId,
            kind: queryArg.kind,
            reversed: queryArg.reversed,
            currency: queryArg.currency,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
          },
        }),
        providesTags: ["Agents"],
      }),
      setAgentTerms: build.mutation<
        SetAgentTermsApiResponse,
        SetAgentTermsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/agent/exchange_rate/${queryArg.id}`,
          method: "PUT",
          body: queryArg.termsInput,
        }),
        invalidatesTags: ["Agents"],
      }),
      getAgent: build.query<GetAgentApiResponse, GetAgentApiArg>({
        query: (queryArg) => ({ url: `/api/agent/${queryArg.id}` }),
        providesTags: ["Agents"],
      }),
      updateAgent: build.mutation<UpdateAgentApiResponse, UpdateAgentApiArg>({
        query: (queryArg) => ({
          url: `/api/agent/${queryArg.id}`,
          method: "PUT",
          body: queryArg.agentChangeInput,
        }),
        invalidatesTags: ["Agents"],
      }),
      listApprovalRules: build.query<
        ListApprovalRulesApiResponse,
        ListApprovalRulesApiArg
      >({
        query: () => ({ url: `/api/approval-rules` }),
        providesTags: ["Approvals"],
      }),
      addApprovalRule: build.mutation<
        AddApprovalRuleApiResponse,
        AddApprovalRuleApiArg
      >({
        query: (queryArg) => ({
          url: `/api/approval-rules`,
          method: "POST",
          body: queryArg.approvalRuleInput,
        }),
        invalidatesTags: ["Approvals"],
      }),
      listCaughtCommands: build.query<
        ListCaughtCommandsApiResponse,
        ListCaughtCommandsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/approval-rules/caught`,
          params: {
            kind: queryArg.kind,
            makers: queryArg.makers,
            fromAmount: queryArg.fromAmount,
          },
        }),
        providesTags: ["Approvals"],
      }),
      removeApprovalRule: build.mutation<
        RemoveApprovalRuleApiResponse,
        RemoveApprovalRuleApiArg
      >({
        query: (queryArg) => ({
          url: `/api/approval-rules/${queryArg.id}`,
          method: "DELETE",
        }),
        invalidatesTags: ["Approvals"],
      }),
      changeApprovalRule: build.mutation<
        ChangeApprovalRuleApiResponse,
        ChangeApprovalRuleApiArg
      >({
        query: (queryArg) => ({
          url: `/api/approval-rules/${queryArg.id}`,
          method: "PUT",
          body: queryArg.approvalRuleInput,
        }),
        invalidatesTags: ["Approvals"],
      }),
      getCheckpoint: build.query<GetCheckpointApiResponse, GetCheckpointApiArg>(
        {
          query: () => ({ url: `/api/audit/checkpoint` }),
          providesTags: ["Audit"],
        },
      ),
      listCheckpoints: build.query<
        ListCheckpointsApiResponse,
        ListCheckpointsApiArg
      >({
        query: () => ({ url: `/api/audit/checkpoints` }),
        providesTags: ["Audit"],
      }),
      takeCheckpoint: build.mutation<
        TakeCheckpointApiResponse,
        TakeCheckpointApiArg
      >({
        query: () => ({ url: `/api/audit/checkpoints`, method: "POST" }),
        invalidatesTags: ["Audit"],
      }),
      getConsistency: build.query<
        GetConsistencyApiResponse,
        GetConsistencyApiArg
      >({
        query: (queryArg) => ({
          url: `/api/audit/consistency`,
          params: {
            from: queryArg["from"],
            to: queryArg.to,
          },
        }),
        providesTags: ["Audit"],
      }),
      getContinuousVerification: build.query<
        GetContinuousVerificationApiResponse,
        GetContinuousVerificationApiArg
      >({
        query: () => ({ url: `/api/audit/continuous` }),
        providesTags: ["Audit"],
      }),
      listAuditEvents: build.query<
        ListAuditEventsApiResponse,
        ListAuditEventsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/audit/events`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            eventType: queryArg.eventType,
            recordType: queryArg.recordType,
            recordId: queryArg.recordId,
            actorId: queryArg.actorId,
            requestId: queryArg.requestId,
            from: queryArg["from"],
            to: queryArg.to,
            hash: queryArg.hash,
          },
        }),
        providesTags: ["Audit"],
      }),
      getAuditEvent: build.query<GetAuditEventApiResponse, GetAuditEventApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/audit/events/${queryArg.position}`,
          }),
          providesTags: ["Audit"],
        },
      ),
      getCheckpointKeys: build.query<
        GetCheckpointKeysApiResponse,
        GetCheckpointKeysApiArg
      >({
        query: () => ({ url: `/api/audit/keys` }),
        providesTags: ["Audit"],
      }),
      listLateChanges: build.query<
        ListLateChangesApiResponse,
        ListLateChangesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/audit/late-changes`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            kind: queryArg.kind,
            from: queryArg["from"],
            to: queryArg.to,
            daysLate: queryArg.daysLate,
            actorId: queryArg.actorId,
            recordId: queryArg.recordId,
            afterClosure: queryArg.afterClosure,
          },
        }),
        providesTags: ["Audit"],
      }),
      exportLog: build.query<ExportLogApiResponse, ExportLogApiArg>({
        query: () => ({ url: `/api/audit/log` }),
        providesTags: ["Audit"],
      }),
      getProof: build.query<GetProofApiResponse, GetProofApiArg>({
        query: (queryArg) => ({ url: `/api/audit/proof/${queryArg.position}` }),
        providesTags: ["Audit"],
      }),
      getQuarantine: build.query<GetQuarantineApiResponse, GetQuarantineApiArg>(
        {
          query: () => ({ url: `/api/audit/quarantine` }),
          providesTags: ["Audit"],
        },
      ),
      listReadings: build.query<ListReadingsApiResponse, ListReadingsApiArg>({
        query: (queryArg) => ({
          url: `/api/audit/readings`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            partyId: queryArg.partyId,
            recordId: queryArg.recordId,
            kind: queryArg.kind,
            from: queryArg["from"],
            to: queryArg.to,
          },
        }),
        providesTags: ["Audit"],
      }),
      getTimeline: build.query<GetTimelineApiResponse, GetTimelineApiArg>({
        query: (queryArg) => ({
          url: `/api/audit/timeline/${queryArg["type"]}/${queryArg.id}`,
          params: {
            position: queryArg.position,
            at: queryArg.at,
          },
        }),
        providesTags: ["Audit"],
      }),
      getVerification: build.query<
        GetVerificationApiResponse,
        GetVerificationApiArg
      >({
        query: () => ({ url: `/api/audit/verification` }),
        providesTags: ["Audit"],
      }),
      startVerification: build.mutation<
        StartVerificationApiResponse,
        StartVerificationApiArg
      >({
        query: () => ({ url: `/api/audit/verification`, method: "POST" }),
        invalidatesTags: ["Audit"],
      }),
      login: build.mutation<LoginApiResponse, LoginApiArg>({
        query: (queryArg) => ({
          url: `/api/auth0/login`,
          method: "POST",
          body: queryArg.loginRequest,
        }),
        invalidatesTags: ["Session"],
      }),
      logout: build.mutation<LogoutApiResponse, LogoutApiArg>({
        query: () => ({ url: `/api/auth0/logout`, method: "POST" }),
        invalidatesTags: ["Session"],
      }),
      getLoginOptions: build.query<
        GetLoginOptionsApiResponse,
        GetLoginOptionsApiArg
      >({
        query: () => ({ url: `/api/auth0/options` }),
        providesTags: ["Session"],
      }),
      beginPasskeyLogin: build.mutation<
        BeginPasskeyLoginApiResponse,
        BeginPasskeyLoginApiArg
      >({
        query: () => ({ url: `/api/auth0/passkey`, method: "POST" }),
        invalidatesTags: ["Session"],
      }),
      finishPasskeyLogin: build.mutation<
        FinishPasskeyLoginApiResponse,
        FinishPasskeyLoginApiArg
      >({
        query: (queryArg) => ({
          url: `/api/auth0/passkey/finish`,
          method: "POST",
          body: queryArg.passkeyAnswerInput,
        }),
        invalidatesTags: ["Session"],
      }),
      beginSignOn: build.mutation<BeginSignOnApiResponse, BeginSignOnApiArg>({
        query: () => ({ url: `/api/auth0/sign_on`, method: "POST" }),
        invalidatesTags: ["Session"],
      }),
      finishSignOn: build.mutation<FinishSignOnApiResponse, FinishSignOnApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/auth0/sign_on/finish`,
            method: "POST",
            body: queryArg.signOnFinishInput,
          }),
          invalidatesTags: ["Session"],
        },
      ),
      refreshToken: build.mutation<RefreshTokenApiResponse, RefreshTokenApiArg>(
        {
          query: () => ({ url: `/api/auth0/token`, method: "POST" }),
          invalidatesTags: ["Session"],
        },
      ),
      createCustomer: build.mutation<
        CreateCustomerApiResponse,
        CreateCustomerApiArg
      >({
        query: (queryArg) => ({
          url: `/api/customer`,
          method: "POST",
          body: queryArg.customerInput,
        }),
        invalidatesTags: ["Customers"],
      }),
      addCard: build.mutation<AddCardApiResponse, AddCardApiArg>({
        query: (queryArg) => ({
          url: `/api/customer/add_card`,
          method: "POST",
          body: queryArg.addCardInput,
        }),
        invalidatesTags: ["Customers"],
      }),
      listExpiringDocuments: build.query<
        ListExpiringDocumentsApiResponse,
        ListExpiringDocumentsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/customer/expiring_documents`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            expiresTo: queryArg.expiresTo,
            agencyId: queryArg.agencyId,
          },
        }),
        providesTags: ["Customers"],
      }),
      listRecipients: build.query<
        ListRecipientsApiResponse,
        ListRecipientsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/customer/reciever`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            name: queryArg.name,
            senderId: queryArg.senderId,
            agencyId: queryArg.agencyId,
            isActive: queryArg.isActive,
          },
        }),
        providesTags: ["Customers"],
      }),
      listSenders: build.query<ListSendersApiResponse, ListSendersApiArg>({
        query: (queryArg) => ({
          url: `/api/customer/sender`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            name: queryArg.name,
            senderId: queryArg.senderId,
            agencyId: queryArg.agencyId,
            isActive: queryArg.isActive,
          },
        }),
        providesTags: ["Customers"],
      }),
      updateCustomer: build.mutation<
        UpdateCustomerApiResponse,
        UpdateCustomerApiArg
      >({
        query: (queryArg) => ({
          url: `/api/customer/${queryArg.id}`,
          method: "PUT",
          body: queryArg.customerInput,
        }),
        invalidatesTags: ["Customers"],
      }),
      listCards: build.query<ListCardsApiResponse, ListCardsApiArg>({
        query: (queryArg) => ({
          url: `/api/customer/${queryArg.id}/cards`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
          },
        }),
        providesTags: ["Customers"],
      }),
      getCustomer: build.query<GetCustomerApiResponse, GetCustomerApiArg>({
        query: (queryArg) => ({ url: `/api/customer/${queryArg.id}/details` }),
        providesTags: ["Customers"],
      }),
      uploadDocumentFile: build.mutation<
        UploadDocumentFileApiResponse,
        UploadDocumentFileApiArg
      >({
        query: (queryArg) => ({
          url: `/api/customer/${queryArg.id}/document/files`,
          method: "POST",
          body: queryArg.reviewFileInput,
        }),
        invalidatesTags: ["Customers"],
      }),
      getDocumentPictures: build.query<
        GetDocumentPicturesApiResponse,
        GetDocumentPicturesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/customer/${queryArg.id}/document/pictures`,
        }),
        providesTags: ["Customers"],
      }),
      recordDocumentPictures: build.mutation<
        RecordDocumentPicturesApiResponse,
        RecordDocumentPicturesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/customer/${queryArg.id}/document/pictures`,
          method: "PUT",
          body: queryArg.documentPicturesInput,
        }),
        invalidatesTags: ["Customers"],
      }),
      exportDossier: build.mutation<
        ExportDossierApiResponse,
        ExportDossierApiArg
      >({
        query: (queryArg) => ({
          url: `/api/customer/${queryArg.id}/dossiers`,
          method: "POST",
        }),
        invalidatesTags: ["Customers"],
      }),
      getDossier: build.query<GetDossierApiResponse, GetDossierApiArg>({
        query: (queryArg) => ({
          url: `/api/customer/${queryArg.id}/dossiers/${queryArg.position}`,
          params: {
            format: queryArg.format,
          },
        }),
        providesTags: ["Customers"],
      }),
      getRemittanceTotals: build.query<
        GetRemittanceTotalsApiResponse,
        GetRemittanceTotalsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dashboard/agency/remittance/total`,
          params: {
            agencyId: queryArg.agencyId,
            currency: queryArg.currency,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            rangeSelector: queryArg.rangeSelector,
          },
        }),
        providesTags: ["Dashboard"],
      }),
      previewAgencyClosures: build.query<
        PreviewAgencyClosuresApiResponse,
        PreviewAgencyClosuresApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dashboard/agency/report`,
          method: "POST",
          body: queryArg.agencyReportInput,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            partyId: queryArg.partyId,
            agencyId: queryArg.agencyId,
          },
        }),
        providesTags: ["Closures"],
      }),
      listSellerRemittances: build.query<
        ListSellerRemittancesApiResponse,
        ListSellerRemittancesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dashboard/agent/remittance`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            rangeSelector: queryArg.rangeSelector,
          },
        }),
        providesTags: ["Dashboard"],
      }),
      previewAgentClosures: build.query<
        PreviewAgentClosuresApiResponse,
        PreviewAgentClosuresApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dashboard/agent/report`,
          method: "POST",
          body: queryArg.agentReportInput,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            partyId: queryArg.partyId,
            agencyId: queryArg.agencyId,
          },
        }),
        providesTags: ["Closures"],
      }),
      getAttention: build.query<GetAttentionApiResponse, GetAttentionApiArg>({
        query: () => ({ url: `/api/dashboard/attention` }),
        providesTags: ["Dashboard"],
      }),
      listDealerClosings: build.query<
        ListDealerClosingsApiResponse,
        ListDealerClosingsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dashboard/dealer/closing`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            rangeSelector: queryArg.rangeSelector,
            dealerId: queryArg.dealerId,
          },
        }),
        providesTags: ["Accounting"],
      }),
      listDealerSales: build.query<
        ListDealerSalesApiResponse,
        ListDealerSalesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dashboard/dealer/sales`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            rangeSelector: queryArg.rangeSelector,
            dealerId: queryArg.dealerId,
          },
        }),
        providesTags: ["Accounting"],
      }),
      getRemittanceStatistics: build.query<
        GetRemittanceStatisticsApiResponse,
        GetRemittanceStatisticsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dashboard/remittance/statistics`,
          params: {
            agencyId: queryArg.agencyId,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            per: queryArg.per,
          },
        }),
        providesTags: ["Dashboard"],
      }),
      listSales: build.query<ListSalesApiResponse, ListSalesApiArg>({
        query: (queryArg) => ({
          url: `/api/dashboard/sales`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            rangeSelector: queryArg.rangeSelector,
            agencyId: queryArg.agencyId,
            agentId: queryArg.agentId,
            partyId: queryArg.partyId,
            currency: queryArg.currency,
          },
        }),
        providesTags: ["Accounting"],
      }),
      listDealers: build.query<ListDealersApiResponse, ListDealersApiArg>({
        query: (queryArg) => ({
          url: `/api/dealer`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            ReceiverId: queryArg.receiverId,
            type: queryArg["type"],
            dealerId: queryArg.dealerId,
            provinceId: queryArg.provinceId,
            municipalityId: queryArg.municipalityId,
            isActive: queryArg.isActive,
            deleted: queryArg.deleted,
          },
        }),
        providesTags: ["Dealers"],
      }),
      createDealer: build.mutation<CreateDealerApiResponse, CreateDealerApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/dealer`,
            method: "POST",
            body: queryArg.dealerInput,
          }),
          invalidatesTags: ["Dealers"],
        },
      ),
      updateNamedDealer: build.mutation<
        UpdateNamedDealerApiResponse,
        UpdateNamedDealerApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dealer`,
          method: "PUT",
          body: queryArg.dealerChangeInput,
        }),
        invalidatesTags: ["Dealers"],
      }),
      listDealerBalanceAssignments: build.query<
        ListDealerBalanceAssignmentsApiResponse,
        ListDealerBalanceAssignmentsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dealer/balance_assignments`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            partyId: queryArg.partyId,
            AgencyId: queryArg.agencyId,
            AgentId: queryArg.agentId,
            dealerId: queryArg.dealerId,
            kind: queryArg.kind,
            reversed: queryArg.reversed,
            currency: queryArg.currency,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
          },
        }),
        providesTags: ["Dealers"],
      }),
      listDailyCredit: build.query<
        ListDailyCreditApiResponse,
        ListDailyCreditApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dealer/dayli_credit_report`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            dateTime: queryArg.dateTime,
            dealerId: queryArg.dealerId,
          },
        }),
        providesTags: ["Dealers"],
      }),
      listDealerDirectory: build.query<
        ListDealerDirectoryApiResponse,
        ListDealerDirectoryApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dealer/directory`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
          },
        }),
        providesTags: ["Dealers"],
      }),
      recordDealerExpense: build.mutation<
        RecordDealerExpenseApiResponse,
        RecordDealerExpenseApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dealer/expenses/${queryArg.id}`,
          method: "POST",
          body: queryArg.expenseInput,
        }),
        invalidatesTags: ["Movements"],
      }),
      getDealerListReport: build.query<
        GetDealerListReportApiResponse,
        GetDealerListReportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dealer/report`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            query: queryArg.query,
            ReceiverId: queryArg.receiverId,
            type: queryArg["type"],
            dealerId: queryArg.dealerId,
            provinceId: queryArg.provinceId,
            municipalityId: queryArg.municipalityId,
            isActive: queryArg.isActive,
            deleted: queryArg.deleted,
          },
        }),
        providesTags: ["Documents"],
      }),
      transferDealerCash: build.mutation<
        TransferDealerCashApiResponse,
        TransferDealerCashApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dealer/transfer`,
          method: "POST",
          body: queryArg.dealerTransferInput,
        }),
        invalidatesTags: ["Movements"],
      }),
      updateDealer: build.mutation<UpdateDealerApiResponse, UpdateDealerApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/dealer/${queryArg.id}`,
            method: "PUT",
            body: queryArg.dealerChangeInput,
          }),
          invalidatesTags: ["Dealers"],
        },
      ),
      createDeliveryMan: build.mutation<
        CreateDeliveryManApiResponse,
        CreateDeliveryManApiArg
      >({
        query: (queryArg) => ({
          url: `/api/delivery_men`,
          method: "POST",
          body: queryArg.deliveryManInput,
        }),
        invalidatesTags: ["Dealers"],
      }),
      updateDeliveryMan: build.mutation<
        UpdateDeliveryManApiResponse,
        UpdateDeliveryManApiArg
      >({
        query: (queryArg) => ({
          url: `/api/delivery_men/${queryArg.id}`,
          method: "PUT",
          body: queryArg.deliveryManChangeInput,
        }),
        invalidatesTags: ["Dealers"],
      }),
      listNews: build.query<ListNewsApiResponse, ListNewsApiArg>({
        query: (queryArg) => ({
          url: `/api/events/news`,
          params: {
            positions: queryArg.positions,
          },
        }),
        providesTags: ["Live"],
      }),
      readFeed: build.query<ReadFeedApiResponse, ReadFeedApiArg>({
        query: (queryArg) => ({
          url: `/api/feed`,
          params: {
            after: queryArg.after,
            hash: queryArg.hash,
            since: queryArg.since,
            limit: queryArg.limit,
            type: queryArg["type"],
            wait: queryArg.wait,
          },
        }),
        providesTags: ["Feed"],
      }),
      listFeedTypes: build.query<ListFeedTypesApiResponse, ListFeedTypesApiArg>(
        {
          query: () => ({ url: `/api/feed/types` }),
          providesTags: ["Feed"],
        },
      ),
      uploadFile: build.mutation<UploadFileApiResponse, UploadFileApiArg>({
        query: (queryArg) => ({
          url: `/api/files/uploadfile`,
          method: "POST",
          body: queryArg.uploadInput,
        }),
        invalidatesTags: ["Files"],
      }),
      listImports: build.query<ListImportsApiResponse, ListImportsApiArg>({
        query: () => ({ url: `/api/imports` }),
        providesTags: ["Imports"],
      }),
      uploadImport: build.mutation<UploadImportApiResponse, UploadImportApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/imports`,
            method: "POST",
            body: queryArg.importInput,
          }),
          invalidatesTags: ["Imports"],
        },
      ),
      listImportKinds: build.query<
        ListImportKindsApiResponse,
        ListImportKindsApiArg
      >({
        query: () => ({ url: `/api/imports/kinds` }),
        providesTags: ["Imports"],
      }),
      getImport: build.query<GetImportApiResponse, GetImportApiArg>({
        query: (queryArg) => ({ url: `/api/imports/${queryArg.id}` }),
        providesTags: ["Imports"],
      }),
      cancelImport: build.mutation<CancelImportApiResponse, CancelImportApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/imports/${queryArg.id}/cancel`,
            method: "POST",
          }),
          invalidatesTags: ["Imports"],
        },
      ),
      exportImportErrors: build.query<
        ExportImportErrorsApiResponse,
        ExportImportErrorsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/imports/${queryArg.id}/file`,
          params: {
            format: queryArg.format,
          },
        }),
        providesTags: ["Imports"],
      }),
      setImportMapping: build.mutation<
        SetImportMappingApiResponse,
        SetImportMappingApiArg
      >({
        query: (queryArg) => ({
          url: `/api/imports/${queryArg.id}/mapping`,
          method: "PUT",
          body: queryArg.importMapping,
        }),
        invalidatesTags: ["Imports"],
      }),
      pauseImport: build.mutation<PauseImportApiResponse, PauseImportApiArg>({
        query: (queryArg) => ({
          url: `/api/imports/${queryArg.id}/pause`,
          method: "POST",
        }),
        invalidatesTags: ["Imports"],
      }),
      previewImport: build.mutation<
        PreviewImportApiResponse,
        PreviewImportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/imports/${queryArg.id}/preview`,
          method: "POST",
        }),
        invalidatesTags: ["Imports"],
      }),
      uploadImportProofs: build.mutation<
        UploadImportProofsApiResponse,
        UploadImportProofsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/imports/${queryArg.id}/proofs`,
          method: "PUT",
          body: queryArg.importProofsInput,
        }),
        invalidatesTags: ["Imports"],
      }),
      resumeImport: build.mutation<ResumeImportApiResponse, ResumeImportApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/imports/${queryArg.id}/resume`,
            method: "POST",
          }),
          invalidatesTags: ["Imports"],
        },
      ),
      listImportRows: build.query<
        ListImportRowsApiResponse,
        ListImportRowsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/imports/${queryArg.id}/rows`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            result: queryArg.result,
          },
        }),
        providesTags: ["Imports"],
      }),
      changeImportRow: build.mutation<
        ChangeImportRowApiResponse,
        ChangeImportRowApiArg
      >({
        query: (queryArg) => ({
          url: `/api/imports/${queryArg.id}/rows/${queryArg["number"]}`,
          method: "PUT",
          body: queryArg.importRowInput,
        }),
        invalidatesTags: ["Imports"],
      }),
      startImport: build.mutation<StartImportApiResponse, StartImportApiArg>({
        query: (queryArg) => ({
          url: `/api/imports/${queryArg.id}/start`,
          method: "POST",
        }),
        invalidatesTags: ["Imports"],
      }),
      listApiKeys: build.query<ListApiKeysApiResponse, ListApiKeysApiArg>({
        query: (queryArg) => ({
          url: `/api/keys`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            partyId: queryArg.partyId,
            live: queryArg.live,
          },
        }),
        providesTags: ["Keys"],
      }),
      issueApiKey: build.mutation<IssueApiKeyApiResponse, IssueApiKeyApiArg>({
        query: (queryArg) => ({
          url: `/api/keys`,
          method: "POST",
          body: queryArg.apiKeyInput,
        }),
        invalidatesTags: ["Keys"],
      }),
      listApiKeyScopes: build.query<
        ListApiKeyScopesApiResponse,
        ListApiKeyScopesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/keys/scopes`,
          params: {
            partyId: queryArg.partyId,
          },
        }),
        providesTags: ["Keys"],
      }),
      revokeApiKey: build.mutation<RevokeApiKeyApiResponse, RevokeApiKeyApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/keys/${queryArg.id}/revoke`,
            method: "POST",
          }),
          invalidatesTags: ["Keys"],
        },
      ),
      rotateApiKey: build.mutation<RotateApiKeyApiResponse, RotateApiKeyApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/keys/${queryArg.id}/rotate`,
            method: "POST",
            body: queryArg.apiKeyRotationInput,
          }),
          invalidatesTags: ["Keys"],
        },
      ),
      listLimitRules: build.query<
        ListLimitRulesApiResponse,
        ListLimitRulesApiArg
      >({
        query: () => ({ url: `/api/limit-rules` }),
        providesTags: ["Limits"],
      }),
      addLimitRule: build.mutation<AddLimitRuleApiResponse, AddLimitRuleApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/limit-rules`,
            method: "POST",
            body: queryArg.limitRuleInput,
          }),
          invalidatesTags: ["Limits"],
        },
      ),
      removeLimitRule: build.mutation<
        RemoveLimitRuleApiResponse,
        RemoveLimitRuleApiArg
      >({
        query: (queryArg) => ({
          url: `/api/limit-rules/${queryArg.id}`,
          method: "DELETE",
        }),
        invalidatesTags: ["Limits"],
      }),
      changeLimitRule: build.mutation<
        ChangeLimitRuleApiResponse,
        ChangeLimitRuleApiArg
      >({
        query: (queryArg) => ({
          url: `/api/limit-rules/${queryArg.id}`,
          method: "PUT",
          body: queryArg.limitRuleInput,
        }),
        invalidatesTags: ["Limits"],
      }),
      businessMetrics: build.query<
        BusinessMetricsApiResponse,
        BusinessMetricsApiArg
      >({
        query: () => ({ url: `/api/metrics` }),
        providesTags: ["Dashboard"],
      }),
      listCities: build.query<ListCitiesApiResponse, ListCitiesApiArg>({
        query: (queryArg) => ({
          url: `/api/nomenclators/cities`,
          params: {
            country: queryArg.country,
            query: queryArg.query,
          },
        }),
        providesTags: ["World"],
      }),
      listCountries: build.query<ListCountriesApiResponse, ListCountriesApiArg>(
        {
          query: () => ({ url: `/api/nomenclators/countries` }),
          providesTags: ["World"],
        },
      ),
      listMunicipalities: build.query<
        ListMunicipalitiesApiResponse,
        ListMunicipalitiesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/cuban_cities`,
          params: {
            provinceId: queryArg.provinceId,
          },
        }),
        providesTags: ["Places"],
      }),
      listProvinces: build.query<ListProvincesApiResponse, ListProvincesApiArg>(
        {
          query: () => ({ url: `/api/nomenclators/cuban_states` }),
          providesTags: ["Places"],
        },
      ),
      listCurrencies: build.query<
        ListCurrenciesApiResponse,
        ListCurrenciesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/currency`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
          },
        }),
        providesTags: ["Currencies"],
      }),
      createCurrency: build.mutation<
        CreateCurrencyApiResponse,
        CreateCurrencyApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/currency`,
          method: "POST",
          body: queryArg.currencyInput,
        }),
        invalidatesTags: ["Currencies"],
      }),
      deleteCurrency: build.mutation<
        DeleteCurrencyApiResponse,
        DeleteCurrencyApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/currency/${queryArg.id}`,
          method: "DELETE",
        }),
        invalidatesTags: ["Currencies"],
      }),
      updateCurrency: build.mutation<
        UpdateCurrencyApiResponse,
        UpdateCurrencyApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/currency/${queryArg.id}`,
          method: "PUT",
          body: queryArg.currencyInput,
        }),
        invalidatesTags: ["Currencies"],
      }),
      updateMunicipality: build.mutation<
        UpdateMunicipalityApiResponse,
        UpdateMunicipalityApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/municipality/${queryArg.id}`,
          method: "PUT",
          body: queryArg.municipalityInput,
        }),
        invalidatesTags: ["Places"],
      }),
      deleteNamedPaymentGroup: build.mutation<
        DeleteNamedPaymentGroupApiResponse,
        DeleteNamedPaymentGroupApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/payment_group`,
          method: "DELETE",
          body: queryArg.paymentGroupRef,
        }),
        invalidatesTags: ["PaymentGroups"],
      }),
      listPaymentGroups: build.query<
        ListPaymentGroupsApiResponse,
        ListPaymentGroupsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/payment_group`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            Type: queryArg["type"],
          },
        }),
        providesTags: ["PaymentGroups"],
      }),
      createPaymentGroup: build.mutation<
        CreatePaymentGroupApiResponse,
        CreatePaymentGroupApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/payment_group`,
          method: "POST",
          body: queryArg.paymentGroupInput,
        }),
        invalidatesTags: ["PaymentGroups"],
      }),
      updateNamedPaymentGroup: build.mutation<
        UpdateNamedPaymentGroupApiResponse,
        UpdateNamedPaymentGroupApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/payment_group`,
          method: "PUT",
          body: queryArg.paymentGroupInput,
        }),
        invalidatesTags: ["PaymentGroups"],
      }),
      deletePaymentGroup: build.mutation<
        DeletePaymentGroupApiResponse,
        DeletePaymentGroupApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/payment_group/${queryArg.id}`,
          method: "DELETE",
        }),
        invalidatesTags: ["PaymentGroups"],
      }),
      updatePaymentGroup: build.mutation<
        UpdatePaymentGroupApiResponse,
        UpdatePaymentGroupApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/payment_group/${queryArg.id}`,
          method: "PUT",
          body: queryArg.paymentGroupInput,
        }),
        invalidatesTags: ["PaymentGroups"],
      }),
      updateProvince: build.mutation<
        UpdateProvinceApiResponse,
        UpdateProvinceApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/province/${queryArg.id}`,
          method: "PUT",
          body: queryArg.provinceInput,
        }),
        invalidatesTags: ["Places"],
      }),
      listStates: build.query<ListStatesApiResponse, ListStatesApiArg>({
        query: (queryArg) => ({
          url: `/api/nomenclators/statescountry/country/${queryArg.code}`,
        }),
        providesTags: ["World"],
      }),
      listPermissionSets: build.query<
        ListPermissionSetsApiResponse,
        ListPermissionSetsApiArg
      >({
        query: () => ({ url: `/api/permission_sets` }),
        providesTags: ["Office"],
      }),
      addPermissionSet: build.mutation<
        AddPermissionSetApiResponse,
        AddPermissionSetApiArg
      >({
        query: (queryArg) => ({
          url: `/api/permission_sets`,
          method: "POST",
          body: queryArg.permissionSetInput,
        }),
        invalidatesTags: ["Office"],
      }),
      removePermissionSet: build.mutation<
        RemovePermissionSetApiResponse,
        RemovePermissionSetApiArg
      >({
        query: (queryArg) => ({
          url: `/api/permission_sets/${queryArg.id}`,
          method: "DELETE",
        }),
        invalidatesTags: ["Office"],
      }),
      changePermissionSet: build.mutation<
        ChangePermissionSetApiResponse,
        ChangePermissionSetApiArg
      >({
        query: (queryArg) => ({
          url: `/api/permission_sets/${queryArg.id}`,
          method: "PUT",
          body: queryArg.permissionSetInput,
        }),
        invalidatesTags: ["Office"],
      }),
      listProposals: build.query<ListProposalsApiResponse, ListProposalsApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/proposals`,
            params: {
              CurrentPage: queryArg.currentPage,
              RecordsPerPage: queryArg.recordsPerPage,
              sort: queryArg.sort,
              format: queryArg.format,
              waiting: queryArg.waiting,
              mayDecide: queryArg.mayDecide,
              kind: queryArg.kind,
              makerId: queryArg.makerId,
              dateFrom: queryArg.dateFrom,
              dateTo: queryArg.dateTo,
            },
          }),
          providesTags: ["Approvals"],
        },
      ),
      getProposal: build.query<GetProposalApiResponse, GetProposalApiArg>({
        query: (queryArg) => ({ url: `/api/proposals/${queryArg.id}` }),
        providesTags: ["Approvals"],
      }),
      approveProposal: build.mutation<
        ApproveProposalApiResponse,
        ApproveProposalApiArg
      >({
        query: (queryArg) => ({
          url: `/api/proposals/${queryArg.id}/approve`,
          method: "POST",
          body: queryArg.approvalInput,
        }),
        invalidatesTags: ["Approvals"],
      }),
      rejectProposal: build.mutation<
        RejectProposalApiResponse,
        RejectProposalApiArg
      >({
        query: (queryArg) => ({
          url: `/api/proposals/${queryArg.id}/reject`,
          method: "POST",
          body: queryArg.rejectionInput,
        }),
        invalidatesTags: ["Approvals"],
      }),
      withdrawProposal: build.mutation<
        WithdrawProposalApiResponse,
        WithdrawProposalApiArg
      >({
        query: (queryArg) => ({
          url: `/api/proposals/${queryArg.id}/withdraw`,
          method: "POST",
        }),
        invalidatesTags: ["Approvals"],
      }),
      listTodaysRates: build.query<
        ListTodaysRatesApiResponse,
        ListTodaysRatesApiArg
      >({
        query: () => ({ url: `/api/rates` }),
        providesTags: ["Rates"],
      }),
      listRateChanges: build.query<
        ListRateChangesApiResponse,
        ListRateChangesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/rates/changes`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
          },
        }),
        providesTags: ["Rates"],
      }),
      changeRates: build.mutation<ChangeRatesApiResponse, ChangeRatesApiArg>({
        query: (queryArg) => ({
          url: `/api/rates/changes`,
          method: "POST",
          body: queryArg.rateChangeInput,
        }),
        invalidatesTags: ["Rates"],
      }),
      getRateChange: build.query<GetRateChangeApiResponse, GetRateChangeApiArg>(
        {
          query: (queryArg) => ({ url: `/api/rates/changes/${queryArg.id}` }),
          providesTags: ["Rates"],
        },
      ),
      undoRateChange: build.mutation<
        UndoRateChangeApiResponse,
        UndoRateChangeApiArg
      >({
        query: (queryArg) => ({
          url: `/api/rates/changes/${queryArg.id}/undo`,
          method: "POST",
        }),
        invalidatesTags: ["Rates"],
      }),
      listRemittances: build.query<
        ListRemittancesApiResponse,
        ListRemittancesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            status: queryArg.status,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            currency: queryArg.currency,
            agencyId: queryArg.agencyId,
            agentId: queryArg.agentId,
            dealerId: queryArg.dealerId,
            deliveryManId: queryArg.deliveryManId,
            held: queryArg.held,
            senderId: queryArg.senderId,
            recipientId: queryArg.recipientId,
            provinceId: queryArg.provinceId,
            municipalityId: queryArg.municipalityId,
            paymentGroupId: queryArg.paymentGroupId,
            deliveryMethod: queryArg.deliveryMethod,
          },
        }),
        providesTags: ["Remittances"],
      }),
      createRemittance: build.mutation<
        CreateRemittanceApiResponse,
        CreateRemittanceApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances`,
          method: "POST",
          body: queryArg.remittanceInput,
        }),
        invalidatesTags: ["Remittances"],
      }),
      assignDealerInBulk: build.mutation<
        AssignDealerInBulkApiResponse,
        AssignDealerInBulkApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/assign/dealer`,
          method: "PUT",
          body: queryArg.bulkAssignInput,
        }),
        invalidatesTags: ["Remittances"],
      }),
      listDealerDesk: build.mutation<
        ListDealerDeskApiResponse,
        ListDealerDeskApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/dealer`,
          method: "POST",
          body: queryArg.dealerDeskInput,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            status: queryArg.status,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            currency: queryArg.currency,
            agencyId: queryArg.agencyId,
            agentId: queryArg.agentId,
            dealerId: queryArg.dealerId,
            deliveryManId: queryArg.deliveryManId,
            held: queryArg.held,
            senderId: queryArg.senderId,
            recipientId: queryArg.recipientId,
            provinceId: queryArg.provinceId,
            municipalityId: queryArg.municipalityId,
            paymentGroupId: queryArg.paymentGroupId,
            deliveryMethod: queryArg.deliveryMethod,
          },
        }),
        invalidatesTags: ["Remittances"],
      }),
      updateRemittanceDetails: build.mutation<
        UpdateRemittanceDetailsApiResponse,
        UpdateRemittanceDetailsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/details/${queryArg.id}`,
          method: "PUT",
          body: queryArg.remittanceDetailsInput,
        }),
        invalidatesTags: ["Remittances"],
      }),
      listDeliveryDisputes: build.query<
        ListDeliveryDisputesApiResponse,
        ListDeliveryDisputesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/disputes`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            status: queryArg.status,
            remittanceId: queryArg.remittanceId,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
          },
        }),
        providesTags: ["Remittances"],
      }),
      getQuote: build.query<GetQuoteApiResponse, GetQuoteApiArg>({
        query: (queryArg) => ({
          url: `/api/remittances/fees`,
          params: {
            PaymentGroupId: queryArg.paymentGroupId,
            Amount: queryArg.amount,
            Payout: queryArg.payout,
            sellerId: queryArg.sellerId,
          },
        }),
        providesTags: ["Quotes"],
      }),
      summarizeRemittances: build.query<
        SummarizeRemittancesApiResponse,
        SummarizeRemittancesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/summary`,
          params: {
            query: queryArg.query,
            status: queryArg.status,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            currency: queryArg.currency,
            agencyId: queryArg.agencyId,
            agentId: queryArg.agentId,
            dealerId: queryArg.dealerId,
            deliveryManId: queryArg.deliveryManId,
            held: queryArg.held,
            senderId: queryArg.senderId,
            recipientId: queryArg.recipientId,
            provinceId: queryArg.provinceId,
            municipalityId: queryArg.municipalityId,
            paymentGroupId: queryArg.paymentGroupId,
            deliveryMethod: queryArg.deliveryMethod,
          },
        }),
        providesTags: ["Remittances"],
      }),
      getRemittance: build.query<GetRemittanceApiResponse, GetRemittanceApiArg>(
        {
          query: (queryArg) => ({ url: `/api/remittances/${queryArg.id}` }),
          providesTags: ["Remittances"],
        },
      ),
      updateRemittanceAmount: build.mutation<
        UpdateRemittanceAmountApiResponse,
        UpdateRemittanceAmountApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}`,
          method: "PUT",
          body: queryArg.remittanceAmountInput,
        }),
        invalidatesTags: ["Remittances"],
      }),
      assignDealer: build.mutation<AssignDealerApiResponse, AssignDealerApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/remittances/${queryArg.id}/assign/dealer`,
            method: "PUT",
            body: queryArg.assignDealerInput,
          }),
          invalidatesTags: ["Remittances"],
        },
      ),
      recordDeliveryAttempt: build.mutation<
        RecordDeliveryAttemptApiResponse,
        RecordDeliveryAttemptApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}/attempts`,
          method: "POST",
          body: queryArg.attemptInput,
        }),
        invalidatesTags: ["Remittances"],
      }),
      settleHoldBreach: build.mutation<
        SettleHoldBreachApiResponse,
        SettleHoldBreachApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}/breach`,
          method: "PUT",
          body: queryArg.reasonInput,
        }),
        invalidatesTags: ["Limits"],
      }),
      cancelRemittance: build.mutation<
        CancelRemittanceApiResponse,
        CancelRemittanceApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}/cancel`,
          method: "POST",
          body: queryArg.reasonInput,
        }),
        invalidatesTags: ["Remittances"],
      }),
      completeRemittance: build.mutation<
        CompleteRemittanceApiResponse,
        CompleteRemittanceApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}/complete`,
          method: "POST",
          body: queryArg.completeInput,
          params: {
            atOnce: queryArg.atOnce,
          },
        }),
        invalidatesTags: ["Remittances"],
      }),
      settleDeliveryDispute: build.mutation<
        SettleDeliveryDisputeApiResponse,
        SettleDeliveryDisputeApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}/disputes/${queryArg["number"]}`,
          method: "PUT",
          body: queryArg.reasonInput,
        }),
        invalidatesTags: ["Remittances"],
      }),
      markRemittanceError: build.mutation<
        MarkRemittanceErrorApiResponse,
        MarkRemittanceErrorApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}/error`,
          method: "PUT",
          body: queryArg.reasonInput,
        }),
        invalidatesTags: ["Remittances"],
      }),
      listRemittanceHistory: build.query<
        ListRemittanceHistoryApiResponse,
        ListRemittanceHistoryApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}/history`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
          },
        }),
        providesTags: ["Remittances"],
      }),
      listRemittanceHolds: build.query<
        ListRemittanceHoldsApiResponse,
        ListRemittanceHoldsApiArg
      >({
        query: (queryArg) => ({ url: `/api/remittances/${queryArg.id}/holds` }),
        providesTags: ["Limits"],
      }),
      holdRemittance: build.mutation<
        HoldRemittanceApiResponse,
        HoldRemittanceApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}/holds`,
          method: "POST",
          body: queryArg.reasonInput,
        }),
        invalidatesTags: ["Limits"],
      }),
      uploadHoldFile: build.mutation<
        UploadHoldFileApiResponse,
        UploadHoldFileApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}/holds/files`,
          method: "POST",
          body: queryArg.reviewFileInput,
        }),
        invalidatesTags: ["Limits"],
      }),
      reviewRemittanceHold: build.mutation<
        ReviewRemittanceHoldApiResponse,
        ReviewRemittanceHoldApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}/holds/${queryArg["number"]}/review`,
          method: "POST",
          body: queryArg.holdReviewInput,
        }),
        invalidatesTags: ["Limits"],
      }),
      getRemittanceTerms: build.query<
        GetRemittanceTermsApiResponse,
        GetRemittanceTermsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}/payment_group`,
        }),
        providesTags: ["Remittances"],
      }),
      getRemittanceProof: build.query<
        GetRemittanceProofApiResponse,
        GetRemittanceProofApiArg
      >({
        query: (queryArg) => ({ url: `/api/remittances/${queryArg.id}/proof` }),
        providesTags: ["Documents"],
      }),
      getRemittanceReceipt: build.query<
        GetRemittanceReceiptApiResponse,
        GetRemittanceReceiptApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}/receipt`,
        }),
        providesTags: ["Documents"],
      }),
      getAddresseeReport: build.query<
        GetAddresseeReportApiResponse,
        GetAddresseeReportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/reports/addressee`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            status: queryArg.status,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            currency: queryArg.currency,
            agencyId: queryArg.agencyId,
            agentId: queryArg.agentId,
            dealerId: queryArg.dealerId,
            senderId: queryArg.senderId,
            recipientId: queryArg.recipientId,
            provinceId: queryArg.provinceId,
            municipalityId: queryArg.municipalityId,
            deliveryMethod: queryArg.deliveryMethod,
          },
        }),
        providesTags: ["Reports"],
      }),
      getAgencyReport: build.query<
        GetAgencyReportApiResponse,
        GetAgencyReportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/reports/agency`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            status: queryArg.status,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            currency: queryArg.currency,
            agencyId: queryArg.agencyId,
            agentId: queryArg.agentId,
            senderId: queryArg.senderId,
            recipientId: queryArg.recipientId,
            paymentGroupId: queryArg.paymentGroupId,
            deliveryMethod: queryArg.deliveryMethod,
          },
        }),
        providesTags: ["Reports"],
      }),
      getAttorneyReport: build.query<
        GetAttorneyReportApiResponse,
        GetAttorneyReportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/reports/attorney`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            currency: queryArg.currency,
            agencyId: queryArg.agencyId,
            agentId: queryArg.agentId,
            dealerId: queryArg.dealerId,
            deliveryManId: queryArg.deliveryManId,
            recipientId: queryArg.recipientId,
            provinceId: queryArg.provinceId,
            municipalityId: queryArg.municipalityId,
          },
        }),
        providesTags: ["Reports"],
      }),
      getDistributionAgencyReport: build.query<
        GetDistributionAgencyReportApiResponse,
        GetDistributionAgencyReportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/reports/distribution_agency`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            currency: queryArg.currency,
            agencyId: queryArg.agencyId,
            agentId: queryArg.agentId,
            dealerId: queryArg.dealerId,
            provinceId: queryArg.provinceId,
            deliveryMethod: queryArg.deliveryMethod,
          },
        }),
        providesTags: ["Reports"],
      }),
      getDistributorReport: build.query<
        GetDistributorReportApiResponse,
        GetDistributorReportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/reports/distributor`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            status: queryArg.status,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            currency: queryArg.currency,
            agencyId: queryArg.agencyId,
            dealerId: queryArg.dealerId,
            deliveryManId: queryArg.deliveryManId,
            provinceId: queryArg.provinceId,
            municipalityId: queryArg.municipalityId,
            deliveryMethod: queryArg.deliveryMethod,
          },
        }),
        providesTags: ["Reports"],
      }),
      getDistributorShippingReport: build.query<
        GetDistributorShippingReportApiResponse,
        GetDistributorShippingReportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/reports/distributor_shipping`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            currency: queryArg.currency,
            agencyId: queryArg.agencyId,
            dealerId: queryArg.dealerId,
            deliveryManId: queryArg.deliveryManId,
            provinceId: queryArg.provinceId,
            municipalityId: queryArg.municipalityId,
            deliveryMethod: queryArg.deliveryMethod,
          },
        }),
        providesTags: ["Reports"],
      }),
      getHistoryReport: build.query<
        GetHistoryReportApiResponse,
        GetHistoryReportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/reports/history`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            fromStatus: queryArg.fromStatus,
            toStatus: queryArg.toStatus,
            remittanceId: queryArg.remittanceId,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            currency: queryArg.currency,
            agencyId: queryArg.agencyId,
            agentId: queryArg.agentId,
            dealerId: queryArg.dealerId,
            deliveryManId: queryArg.deliveryManId,
          },
        }),
        providesTags: ["Reports"],
      }),
      getHoldsReport: build.query<
        GetHoldsReportApiResponse,
        GetHoldsReportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/reports/holds`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            reason: queryArg.reason,
            ruleId: queryArg.ruleId,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            releasedFrom: queryArg.releasedFrom,
            releasedTo: queryArg.releasedTo,
          },
        }),
        providesTags: ["Reports"],
      }),
      getLargeSumsReport: build.query<
        GetLargeSumsReportApiResponse,
        GetLargeSumsReportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/reports/large_sums`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            days: queryArg.days,
            amountFrom: queryArg.amountFrom,
            remittancesFrom: queryArg.remittancesFrom,
            side: queryArg.side,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
          },
        }),
        providesTags: ["Reports"],
      }),
      getPendingDistributorReport: build.query<
        GetPendingDistributorReportApiResponse,
        GetPendingDistributorReportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/reports/pending_distributor`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            status: queryArg.status,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            currency: queryArg.currency,
            agencyId: queryArg.agencyId,
            dealerId: queryArg.dealerId,
            provinceId: queryArg.provinceId,
            municipalityId: queryArg.municipalityId,
            deliveryMethod: queryArg.deliveryMethod,
          },
        }),
        providesTags: ["Reports"],
      }),
      getScreening: build.query<GetScreeningApiResponse, GetScreeningApiArg>({
        query: () => ({ url: `/api/screening` }),
        providesTags: ["Screening"],
      }),
      listScreeningCases: build.query<
        ListScreeningCasesApiResponse,
        ListScreeningCasesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/screening/cases`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            status: queryArg.status,
            list: queryArg.list,
            held: queryArg.held,
            customerId: queryArg.customerId,
            dateFrom: queryArg.dateFrom,
            dateTo: queryArg.dateTo,
          },
        }),
        providesTags: ["Screening"],
      }),
      getScreeningCase: build.query<
        GetScreeningCaseApiResponse,
        GetScreeningCaseApiArg
      >({
        query: (queryArg) => ({ url: `/api/screening/cases/${queryArg.id}` }),
        providesTags: ["Screening"],
      }),
      decideScreeningPair: build.mutation<
        DecideScreeningPairApiResponse,
        DecideScreeningPairApiArg
      >({
        query: (queryArg) => ({
          url: `/api/screening/cases/${queryArg.id}/decisions`,
          method: "POST",
          body: queryArg.pairDecisionInput,
        }),
        invalidatesTags: ["Screening"],
      }),
      uploadScreeningFile: build.mutation<
        UploadScreeningFileApiResponse,
        UploadScreeningFileApiArg
      >({
        query: (queryArg) => ({
          url: `/api/screening/cases/${queryArg.id}/files`,
          method: "POST",
          body: queryArg.reviewFileInput,
        }),
        invalidatesTags: ["Screening"],
      }),
      releaseScreeningHolds: build.mutation<
        ReleaseScreeningHoldsApiResponse,
        ReleaseScreeningHoldsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/screening/cases/${queryArg.id}/release`,
          method: "POST",
          body: queryArg.reasonInput,
        }),
        invalidatesTags: ["Screening"],
      }),
      setScreeningLists: build.mutation<
        SetScreeningListsApiResponse,
        SetScreeningListsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/screening/lists`,
          method: "PUT",
          body: queryArg.screeningRuleInput,
        }),
        invalidatesTags: ["Screening"],
      }),
      loadOwnScreeningList: build.mutation<
        LoadOwnScreeningListApiResponse,
        LoadOwnScreeningListApiArg
      >({
        query: (queryArg) => ({
          url: `/api/screening/own-lists`,
          method: "POST",
          body: queryArg.ownListInput,
        }),
        invalidatesTags: ["Screening"],
      }),
      checkOwnScreeningList: build.mutation<
        CheckOwnScreeningListApiResponse,
        CheckOwnScreeningListApiArg
      >({
        query: (queryArg) => ({
          url: `/api/screening/own-lists/check`,
          method: "POST",
          body: queryArg.ownListInput,
        }),
        invalidatesTags: ["Screening"],
      }),
      removeOwnScreeningList: build.mutation<
        RemoveOwnScreeningListApiResponse,
        RemoveOwnScreeningListApiArg
      >({
        query: (queryArg) => ({
          url: `/api/screening/own-lists/${queryArg.name}`,
          method: "DELETE",
        }),
        invalidatesTags: ["Screening"],
      }),
      listOwnScreeningListVersions: build.query<
        ListOwnScreeningListVersionsApiResponse,
        ListOwnScreeningListVersionsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/screening/own-lists/${queryArg.name}/versions`,
        }),
        providesTags: ["Screening"],
      }),
      getSecondFactor: build.query<
        GetSecondFactorApiResponse,
        GetSecondFactorApiArg
      >({
        query: (queryArg) => ({
          url: `/api/second_factor`,
          params: {
            partyId: queryArg.partyId,
          },
        }),
        providesTags: ["Second factor"],
      }),
      giveSecondFactorCode: build.mutation<
        GiveSecondFactorCodeApiResponse,
        GiveSecondFactorCodeApiArg
      >({
        query: (queryArg) => ({
          url: `/api/second_factor/code`,
          method: "POST",
          body: queryArg.secondFactorCodeInput,
        }),
        invalidatesTags: ["Second factor"],
      }),
      beginSecondFactorEnrolment: build.mutation<
        BeginSecondFactorEnrolmentApiResponse,
        BeginSecondFactorEnrolmentApiArg
      >({
        query: (queryArg) => ({
          url: `/api/second_factor/enrolments`,
          method: "POST",
          body: queryArg.secondFactorEnrolmentInput,
        }),
        invalidatesTags: ["Second factor"],
      }),
      confirmSecondFactorEnrolment: build.mutation<
        ConfirmSecondFactorEnrolmentApiResponse,
        ConfirmSecondFactorEnrolmentApiArg
      >({
        query: (queryArg) => ({
          url: `/api/second_factor/enrolments/${queryArg.id}/confirm`,
          method: "POST",
          body: queryArg.secondFactorCodeInput,
        }),
        invalidatesTags: ["Second factor"],
      }),
      beginPasskeyConfirmation: build.mutation<
        BeginPasskeyConfirmationApiResponse,
        BeginPasskeyConfirmationApiArg
      >({
        query: () => ({ url: `/api/second_factor/passkey`, method: "POST" }),
        invalidatesTags: ["Second factor"],
      }),
      finishPasskeyConfirmation: build.mutation<
        FinishPasskeyConfirmationApiResponse,
        FinishPasskeyConfirmationApiArg
      >({
        query: (queryArg) => ({
          url: `/api/second_factor/passkey/finish`,
          method: "POST",
          body: queryArg.passkeyAnswerInput,
        }),
        invalidatesTags: ["Second factor"],
      }),
      beginPasskey: build.mutation<BeginPasskeyApiResponse, BeginPasskeyApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/second_factor/passkeys`,
            method: "POST",
            body: queryArg.passkeyBeginInput,
          }),
          invalidatesTags: ["Second factor"],
        },
      ),
      finishPasskey: build.mutation<
        FinishPasskeyApiResponse,
        FinishPasskeyApiArg
      >({
        query: (queryArg) => ({
          url: `/api/second_factor/passkeys/finish`,
          method: "POST",
          body: queryArg.passkeyInput,
        }),
        invalidatesTags: ["Second factor"],
      }),
      removePasskey: build.mutation<
        RemovePasskeyApiResponse,
        RemovePasskeyApiArg
      >({
        query: (queryArg) => ({
          url: `/api/second_factor/passkeys/${queryArg.id}`,
          method: "DELETE",
        }),
        invalidatesTags: ["Second factor"],
      }),
      renewRecoveryCodes: build.mutation<
        RenewRecoveryCodesApiResponse,
        RenewRecoveryCodesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/second_factor/recovery_codes`,
          method: "POST",
          body: queryArg.optionalSecondFactorCodeInput,
        }),
        invalidatesTags: ["Second factor"],
      }),
      removeSecondFactor: build.mutation<
        RemoveSecondFactorApiResponse,
        RemoveSecondFactorApiArg
      >({
        query: (queryArg) => ({
          url: `/api/second_factor/remove`,
          method: "POST",
          body: queryArg.optionalSecondFactorCodeInput,
        }),
        invalidatesTags: ["Second factor"],
      }),
      endSessions: build.mutation<EndSessionsApiResponse, EndSessionsApiArg>({
        query: (queryArg) => ({
          url: `/api/sessions`,
          method: "DELETE",
          params: {
            partyId: queryArg.partyId,
          },
        }),
        invalidatesTags: ["Session"],
      }),
      listSessions: build.query<ListSessionsApiResponse, ListSessionsApiArg>({
        query: (queryArg) => ({
          url: `/api/sessions`,
          params: {
            partyId: queryArg.partyId,
          },
        }),
        providesTags: ["Session"],
      }),
      endSession: build.mutation<EndSessionApiResponse, EndSessionApiArg>({
        query: (queryArg) => ({
          url: `/api/sessions/${queryArg.id}`,
          method: "DELETE",
          params: {
            partyId: queryArg.partyId,
          },
        }),
        invalidatesTags: ["Session"],
      }),
      setPasswordPolicy: build.mutation<
        SetPasswordPolicyApiResponse,
        SetPasswordPolicyApiArg
      >({
        query: (queryArg) => ({
          url: `/api/settings/passwords`,
          method: "PUT",
          body: queryArg.passwordPolicyInput,
        }),
        invalidatesTags: ["Session"],
      }),
      getSecondFactorRoles: build.query<
        GetSecondFactorRolesApiResponse,
        GetSecondFactorRolesApiArg
      >({
        query: () => ({ url: `/api/settings/second_factor` }),
        providesTags: ["Second factor"],
      }),
      setSecondFactorRoles: build.mutation<
        SetSecondFactorRolesApiResponse,
        SetSecondFactorRolesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/settings/second_factor`,
          method: "PUT",
          body: queryArg.secondFactorRuleInput,
        }),
        invalidatesTags: ["Second factor"],
      }),
      removeSignOn: build.mutation<RemoveSignOnApiResponse, RemoveSignOnApiArg>(
        {
          query: () => ({ url: `/api/settings/sign_on`, method: "DELETE" }),
          invalidatesTags: ["Session"],
        },
      ),
      getSignOn: build.query<GetSignOnApiResponse, GetSignOnApiArg>({
        query: () => ({ url: `/api/settings/sign_on` }),
        providesTags: ["Session"],
      }),
      setSignOn: build.mutation<SetSignOnApiResponse, SetSignOnApiArg>({
        query: (queryArg) => ({
          url: `/api/settings/sign_on`,
          method: "PUT",
          body: queryArg.signOnProviderInput,
        }),
        invalidatesTags: ["Session"],
      }),
      listDebits: build.query<ListDebitsApiResponse, ListDebitsApiArg>({
        query: (queryArg) => ({
          url: `/api/sources/debits`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            status: queryArg.status,
            partyId: queryArg.partyId,
          },
        }),
        providesTags: ["Debits"],
      }),
      depositToAgency: build.mutation<
        DepositToAgencyApiResponse,
        DepositToAgencyApiArg
      >({
        query: (queryArg) => ({
          url: `/api/sources/deposit/agency/${queryArg.id}`,
          method: "POST",
          body: queryArg.depositInput,
        }),
        invalidatesTags: ["Movements"],
      }),
      depositToAgent: build.mutation<
        DepositToAgentApiResponse,
        DepositToAgentApiArg
      >({
        query: (queryArg) => ({
          url: `/api/sources/deposit/agent/${queryArg.id}`,
          method: "POST",
          body: queryArg.depositInput,
        }),
        invalidatesTags: ["Movements"],
      }),
      depositToDealer: build.mutation<
        DepositToDealerApiResponse,
        DepositToDealerApiArg
      >({
        query: (queryArg) => ({
          url: `/api/sources/deposit/dealer/${queryArg.id}`,
          method: "POST",
          body: queryArg.depositInput,
        }),
        invalidatesTags: ["Movements"],
      }),
      depositToDeliveryMan: build.mutation<
        DepositToDeliveryManApiResponse,
        DepositToDeliveryManApiArg
      >({
        query: (queryArg) => ({
          url: `/api/sources/deposit/delivery/${queryArg.id}`,
          method: "POST",
          body: queryArg.depositInput,
        }),
        invalidatesTags: ["Movements"],
      }),
      depositToManager: build.mutation<
        DepositToManagerApiResponse,
        DepositToManagerApiArg
      >({
        query: (queryArg) => ({
          url: `/api/sources/deposit/manager`,
          method: "POST",
          body: queryArg.depositInput,
        }),
        invalidatesTags: ["Movements"],
      }),
      depositToParty: build.mutation<
        DepositToPartyApiResponse,
        DepositToPartyApiArg
      >({
        query: (queryArg) => ({
          url: `/api/sources/deposit/${queryArg.id}`,
          method: "POST",
          body: queryArg.depositInput,
        }),
        invalidatesTags: ["Movements"],
      }),
      listMovements: build.query<ListMovementsApiResponse, ListMovementsApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/sources/movements`,
            params: {
              CurrentPage: queryArg.currentPage,
              RecordsPerPage: queryArg.recordsPerPage,
              sort: queryArg.sort,
              format: queryArg.format,
              query: queryArg.query,
              partyId: queryArg.partyId,
              AgencyId: queryArg.agencyId,
              AgentId: queryArg.agentId,
              dealerId: queryArg.dealerId,
              kind: queryArg.kind,
              reversed: queryArg.reversed,
              currency: queryArg.currency,
              initDate: queryArg.initDate,
              finalDate: queryArg.finalDate,
            },
          }),
          providesTags: ["Movements"],
        },
      ),
      getMovement: build.query<GetMovementApiResponse, GetMovementApiArg>({
        query: (queryArg) => ({ url: `/api/sources/movements/${queryArg.id}` }),
        providesTags: ["Movements"],
      }),
      getMovementReceipt: build.query<
        GetMovementReceiptApiResponse,
        GetMovementReceiptApiArg
      >({
        query: (queryArg) => ({
          url: `/api/sources/movements/${queryArg.id}/receipt`,
        }),
        providesTags: ["Documents"],
      }),
      reverseMovement: build.mutation<
        ReverseMovementApiResponse,
        ReverseMovementApiArg
      >({
        query: (queryArg) => ({
          url: `/api/sources/movements/${queryArg.id}/reverse`,
          method: "POST",
          body: queryArg.reasonInput,
        }),
        invalidatesTags: ["Movements"],
      }),
      payDebits: build.mutation<PayDebitsApiResponse, PayDebitsApiArg>({
        query: (queryArg) => ({
          url: `/api/sources/pay_debits`,
          method: "POST",
          body: queryArg.payDebitsInput,
        }),
        invalidatesTags: ["Debits"],
      }),
      listUsers: build.query<ListUsersApiResponse, ListUsersApiArg>({
        query: (queryArg) => ({
          url: `/api/users`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            query: queryArg.query,
            userType: queryArg.userType,
            isActive: queryArg.isActive,
            deleted: queryArg.deleted,
          },
        }),
        providesTags: ["Users"],
      }),
      createUser: build.mutation<CreateUserApiResponse, CreateUserApiArg>({
        query: (queryArg) => ({
          url: `/api/users`,
          method: "POST",
          body: queryArg.userInput,
        }),
        invalidatesTags: ["Users"],
      }),
      changePassword: build.mutation<
        ChangePasswordApiResponse,
        ChangePasswordApiArg
      >({
        query: (queryArg) => ({
          url: `/api/users/change_password/${queryArg.email}`,
          method: "POST",
          body: queryArg.changePasswordInput,
        }),
        invalidatesTags: ["Session"],
      }),
      forgotPassword: build.mutation<
        ForgotPasswordApiResponse,
        ForgotPasswordApiArg
      >({
        query: (queryArg) => ({
          url: `/api/users/forgot_password/${queryArg.email}`,
          method: "POST",
        }),
        invalidatesTags: ["Session"],
      }),
      getProfile: build.query<GetProfileApiResponse, GetProfileApiArg>({
        query: () => ({ url: `/api/users/profile` }),
        providesTags: ["Profile"],
      }),
      updateProfile: build.mutation<
        UpdateProfileApiResponse,
        UpdateProfileApiArg
      >({
        query: (queryArg) => ({
          url: `/api/users/profile`,
          method: "PUT",
          body: queryArg.profileInput,
        }),
        invalidatesTags: ["Profile"],
      }),
      resetPassword: build.mutation<
        ResetPasswordApiResponse,
        ResetPasswordApiArg
      >({
        query: (queryArg) => ({
          url: `/api/users/reset_password/${queryArg.email}`,
          method: "POST",
          body: queryArg.resetPasswordInput,
        }),
        invalidatesTags: ["Session"],
      }),
      deleteUser: build.mutation<DeleteUserApiResponse, DeleteUserApiArg>({
        query: (queryArg) => ({
          url: `/api/users/${queryArg.id}`,
          method: "DELETE",
        }),
        invalidatesTags: ["Users"],
      }),
      getUser: build.query<GetUserApiResponse, GetUserApiArg>({
        query: (queryArg) => ({ url: `/api/users/${queryArg.id}` }),
        providesTags: ["Users"],
      }),
      updateUser: build.mutation<UpdateUserApiResponse, UpdateUserApiArg>({
        query: (queryArg) => ({
          url: `/api/users/${queryArg.id}`,
          method: "PUT",
          body: queryArg.userChangeInput,
        }),
        invalidatesTags: ["Users"],
      }),
      setOfficeAccess: build.mutation<
        SetOfficeAccessApiResponse,
        SetOfficeAccessApiArg
      >({
        query: (queryArg) => ({
          url: `/api/users/${queryArg.id}/access`,
          method: "PUT",
          body: queryArg.officeAccessInput,
        }),
        invalidatesTags: ["Office"],
      }),
      resetSecondFactor: build.mutation<
        ResetSecondFactorApiResponse,
        ResetSecondFactorApiArg
      >({
        query: (queryArg) => ({
          url: `/api/users/${queryArg.id}/second_factor`,
          method: "DELETE",
        }),
        invalidatesTags: ["Second factor"],
      }),
      unbindSignOn: build.mutation<UnbindSignOnApiResponse, UnbindSignOnApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/users/${queryArg.id}/sign_on`,
            method: "DELETE",
          }),
          invalidatesTags: ["Session"],
        },
      ),
      beginViewing: build.mutation<BeginViewingApiResponse, BeginViewingApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/users/${queryArg.id}/viewing`,
            method: "POST",
          }),
          invalidatesTags: ["Session"],
        },
      ),
      endViewing: build.mutation<EndViewingApiResponse, EndViewingApiArg>({
        query: () => ({ url: `/api/viewing`, method: "DELETE" }),
        invalidatesTags: ["Session"],
      }),
      listWebhooks: build.query<ListWebhooksApiResponse, ListWebhooksApiArg>({
        query: (queryArg) => ({
          url: `/api/webhooks`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            sort: queryArg.sort,
            format: queryArg.format,
            partyId: queryArg.partyId,
            active: queryArg.active,
          },
        }),
        providesTags: ["Webhooks"],
      }),
      addWebhook: build.mutation<AddWebhookApiResponse, AddWebhookApiArg>({
        query: (queryArg) => ({
          url: `/api/webhooks`,
          method: "POST",
          body: queryArg.webhookInput,
        }),
        invalidatesTags: ["Webhooks"],
      }),
      removeWebhook: build.mutation<
        RemoveWebhookApiResponse,
        RemoveWebhookApiArg
      >({
        query: (queryArg) => ({
          url: `/api/webhooks/${queryArg.id}`,
          method: "DELETE",
        }),
        invalidatesTags: ["Webhooks"],
      }),
      changeWebhook: build.mutation<
        ChangeWebhookApiResponse,
        ChangeWebhookApiArg
      >({
        query: (queryArg) => ({
          url: `/api/webhooks/${queryArg.id}`,
          method: "PUT",
          body: queryArg.webhookChangeInput,
        }),
        invalidatesTags: ["Webhooks"],
      }),
      listWebhookDeliveries: build.query<
        ListWebhookDeliveriesApiResponse,
        ListWebhookDeliveriesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/webhooks/${queryArg.id}/deliveries`,
        }),
        providesTags: ["Webhooks"],
      }),
      getWebhookDelivery: build.query<
        GetWebhookDeliveryApiResponse,
        GetWebhookDeliveryApiArg
      >({
        query: (queryArg) => ({
          url: `/api/webhooks/${queryArg.id}/deliveries/${queryArg["number"]}`,
        }),
        providesTags: ["Webhooks"],
      }),
      sendWebhookAgain: build.mutation<
        SendWebhookAgainApiResponse,
        SendWebhookAgainApiArg
      >({
        query: (queryArg) => ({
          url: `/api/webhooks/${queryArg.id}/deliveries/${queryArg["number"]}/send`,
          method: "POST",
        }),
        invalidatesTags: ["Webhooks"],
      }),
      pauseWebhook: build.mutation<PauseWebhookApiResponse, PauseWebhookApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/webhooks/${queryArg.id}/pause`,
            method: "POST",
          }),
          invalidatesTags: ["Webhooks"],
        },
      ),
      replayWebhook: build.mutation<
        ReplayWebhookApiResponse,
        ReplayWebhookApiArg
      >({
        query: (queryArg) => ({
          url: `/api/webhooks/${queryArg.id}/replay`,
          method: "POST",
          body: queryArg.webhookReplayInput,
        }),
        invalidatesTags: ["Webhooks"],
      }),
      resumeWebhook: build.mutation<
        ResumeWebhookApiResponse,
        ResumeWebhookApiArg
      >({
        query: (queryArg) => ({
          url: `/api/webhooks/${queryArg.id}/resume`,
          method: "POST",
        }),
        invalidatesTags: ["Webhooks"],
      }),
      rotateWebhookSecret: build.mutation<
        RotateWebhookSecretApiResponse,
        RotateWebhookSecretApiArg
      >({
        query: (queryArg) => ({
          url: `/api/webhooks/${queryArg.id}/rotate`,
          method: "POST",
          body: queryArg.webhookRotationInput,
        }),
        invalidatesTags: ["Webhooks"],
      }),
    }),
    overrideExisting: false,
  });
export { injectedRtkApi as generatedApi };
export type ListAccountBalancesApiResponse =
  /** status 200 The page of account balances with the totals of all pages. */ AccountBalancePage;
export type ListAccountBalancesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "code"
    | "-code"
    | "kind"
    | "-kind"
    | "owner"
    | "-owner"
    | "currency"
    | "-currency";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** The period's first day; the beginning where absent. */
  from?: string;
  /** The period's last day; now where absent. */
  to?: string;
  /** As of this moment, in place of a period. */
  at?: string;
  /** As of the event at this position, in place of a period. */
  position?: number;
  /** Accounts of this kind. */
  kind?: AccountKind;
  /** Accounts of this code. */
  code?: string;
  /** Accounts of this party. */
  ownerId?: string;
  /** Balances of this group. */
  paymentGroupId?: string;
  /** Accounts in this currency. */
  currency?: string;
};
export type ListClosuresApiResponse =
  /** status 200 The page of closures with the count. */ ClosurePage;
export type ListClosuresApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "number"
    | "-number"
    | "created"
    | "-created"
    | "party"
    | "-party"
    | "from"
    | "-from"
    | "to"
    | "-to"
    | "remittances"
    | "-remittances"
    | "amount"
    | "-amount"
    | "managerCommission"
    | "-managerCommission"
    | "agencyCommission"
    | "-agencyCommission"
    | "agentCommission"
    | "-agentCommission"
    | "commissionAccrued"
    | "-commissionAccrued"
    | "debitsOpened"
    | "-debitsOpened"
    | "debitsPaid"
    | "-debitsPaid"
    | "debitsOutstanding"
    | "-debitsOutstanding";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** Of this seller. */
  partyId?: string;
  /** Cut on this day or later. */
  initDate?: string;
  /** Cut on this day or before. */
  finalDate?: string;
  /** Those that there were at this moment. */
  at?: string;
  /** Those that there were after the event at this position. */
  position?: number;
};
export type ClosePeriodApiResponse = /** status 201 The new closure. */ Closure;
export type ClosePeriodApiArg = {
  closureInput: ClosureInput;
};
export type GetClosureApiResponse =
  /** status 200 The closure as of `X-Ledger-Position`. */ Closure;
export type GetClosureApiArg = {
  id: string;
};
export type GetClosureStatementApiResponse =
  /** status 200 The statement as PDF. */ PdfFile;
export type GetClosureStatementApiArg = {
  id: string;
};
export type ListEntriesApiResponse =
  /** status 200 The page of ledger entries with the count. */ LedgerEntryPage;
export type ListEntriesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "position"
    | "-position"
    | "created"
    | "-created"
    | "cause"
    | "-cause"
    | "eventType"
    | "-eventType"
    | "reversal"
    | "-reversal"
    | "actor"
    | "-actor";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** Touching this account, by its key. */
  account?: string;
  /** Touching accounts of this kind. */
  kind?: AccountKind;
  /** Touching accounts of this party. */
  ownerId?: string;
  /** In this currency. */
  currency?: string;
  /** On this day or later. */
  from?: string;
  /** On this day or before. */
  to?: string;
  /** On this day or later; another name of from. */
  initDate?: string;
  /** On this day or before; another name of to. */
  finalDate?: string;
  /** Through this moment. */
  at?: string;
  /** Through the event at this position. */
  position?: number;
  /** Caused by this remittance, movement or closure. */
  cause?: string;
  /** Caused by events of this type. */
  eventType?: string;
};
export type ExportLedgerApiResponse =
  /** status 200 The ledger in the format asked for. */ number[];
export type ExportLedgerApiArg = {
  /** A program's journal, or a table. */
  format: "hledger" | "beancount" | "csv" | "xlsx";
};
export type ListPartyBalancesApiResponse =
  /** status 200 The page of party balances with the count. */ PartyBalancePage;
export type ListPartyBalancesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "userType"
    | "-userType"
    | "agency"
    | "-agency"
    | "dealer"
    | "-dealer"
    | "created"
    | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** As of this moment; now where absent. */
  at?: string;
  /** As of the event at this position; now where absent. */
  position?: number;
  /** Agencies, external agents, dealers or delivery men. */
  userType?: UserType;
  /** Of this party. */
  partyId?: string;
  /** Of this agency and its agents. */
  agencyId?: string;
  /** Of this dealer and its delivery men. */
  dealerId?: string;
};
export type ListRealBalancesApiResponse =
  /** status 200 The page of balances with the total in USD. */ RealBalancePage;
export type ListRealBalancesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "currency"
    | "-currency"
    | "accounted"
    | "-accounted"
    | "exchangeRate"
    | "-exchangeRate";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** As of this moment; now where absent. */
  at?: string;
  /** As of the event at this position; now where absent. */
  position?: number;
  /** Of this currency. */
  currency?: string;
};
export type ListAgenciesApiResponse =
  /** status 200 The page of agencies with the count. */ AgencyPage;
export type ListAgenciesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "email"
    | "-email"
    | "phone"
    | "-phone"
    | "addressLine1"
    | "-addressLine1"
    | "city"
    | "-city"
    | "province"
    | "-province"
    | "country"
    | "-country"
    | "isActive"
    | "-isActive"
    | "created"
    | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** Whether they may be used. */
  isActive?: boolean;
  /** The deleted alone, or all others, as where absent. */
  deleted?: boolean;
};
export type CreateAgencyApiResponse =
  /** status 201 The id of the new agency. */ Created;
export type CreateAgencyApiArg = {
  agencyInput: AgencyInput;
};
export type UpdateAgencyApiResponse =
  /** status 200 The agency after the change. */ Agency;
export type UpdateAgencyApiArg = {
  agencyChangeInput: AgencyChangeInput;
};
export type ListAgencyBalanceAssignmentsApiResponse =
  /** status 200 The page of assignments with the count. */ MovementPage;
export type ListAgencyBalanceAssignmentsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "number"
    | "-number"
    | "created"
    | "-created"
    | "kind"
    | "-kind"
    | "from"
    | "-from"
    | "to"
    | "-to"
    | "amount"
    | "-amount"
    | "currency"
    | "-currency"
    | "counterAmount"
    | "-counterAmount"
    | "counterCurrency"
    | "-counterCurrency"
    | "onCredit"
    | "-onCredit"
    | "reversed"
    | "-reversed"
    | "reverseReason"
    | "-reverseReason"
    | "actor"
    | "-actor"
    | "note"
    | "-note";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** Given or received by this party. */
  partyId?: string;
  /** To this agency. */
  agencyId?: string;
  /** To this agent. */
  agentId?: string;
  /** To this dealer or delivery man. */
  dealerId?: string;
  /** Of this kind. */
  kind?: MovementKind;
  /** Whether they were taken back. */
  reversed?: boolean;
  /** Of this currency. */
  currency?: string;
  /** Made on this day or later. */
  initDate?: string;
  /** Made on this day or before. */
  finalDate?: string;
};
export type SetAgencyTermsApiResponse =
  /** status 200 The agency with the new terms. */ Agency;
export type SetAgencyTermsApiArg = {
  id: string;
  termsInput: TermsInput;
};
export type GetAgencyApiResponse =
  /** status 200 The agency as of `X-Ledger-Position`. */ Agency;
export type GetAgencyApiArg = {
  id: string;
};
export type DeactivateAgencyApiResponse =
  /** status 200 The deactivated agency. */ Agency;
export type DeactivateAgencyApiArg = {
  id: string;
};
export type ListAgentsApiResponse =
  /** status 200 The page of agents with the count. */ AgentPage;
export type ListAgentsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "agentType"
    | "-agentType"
    | "agencyName"
    | "-agencyName"
    | "email"
    | "-email"
    | "phone"
    | "-phone"
    | "addressLine1"
    | "-addressLine1"
    | "city"
    | "-city"
    | "province"
    | "-province"
    | "country"
    | "-country"
    | "isActive"
    | "-isActive"
    | "created"
    | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** Of this kind. */
  agentType?: AgentType;
  /** Of this agency. */
  agencyId?: string;
  /** Whether they may be used. */
  isActive?: boolean;
  /** The deleted alone, or all others, as where absent. */
  deleted?: boolean;
};
export type CreateAgentApiResponse =
  /** status 201 The id of the new agent. */ Created;
export type CreateAgentApiArg = {
  agentInput: AgentInput;
};
export type ListAgentBalanceAssignmentsApiResponse =
  /** status 200 The page of assignments with the count. */ MovementPage;
export type ListAgentBalanceAssignmentsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "number"
    | "-number"
    | "created"
    | "-created"
    | "kind"
    | "-kind"
    | "from"
    | "-from"
    | "to"
    | "-to"
    | "amount"
    | "-amount"
    | "currency"
    | "-currency"
    | "counterAmount"
    | "-counterAmount"
    | "counterCurrency"
    | "-counterCurrency"
    | "onCredit"
    | "-onCredit"
    | "reversed"
    | "-reversed"
    | "reverseReason"
    | "-reverseReason"
    | "actor"
    | "-actor"
    | "note"
    | "-note";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** Given or received by this party. */
  partyId?: string;
  /** To this agency. */
  agencyId?: string;
  /** To this agent. */
  agentId?: string;
  /** To this dealer or delivery man. */
  dealerId?: string;
  /** Of this kind. */
  kind?: MovementKind;
  /** Whether they were taken back. */
  reversed?: boolean;
  /** Of this currency. */
  currency?: string;
  /** Made on this day or later. */
  initDate?: string;
  /** Made on this day or before. */
  finalDate?: string;
};
export type SetAgentTermsApiResponse =
  /** status 200 The agent with the new terms. */ Agent;
export type SetAgentTermsApiArg = {
  id: string;
  termsInput: TermsInput;
};
export type GetAgentApiResponse =
  /** status 200 The agent as of `X-Ledger-Position`. */ Agent;
export type GetAgentApiArg = {
  id: string;
};
export type UpdateAgentApiResponse =
  /** status 200 The agent after the change. */ Agent;
export type UpdateAgentApiArg = {
  id: string;
  agentChangeInput: AgentChangeInput;
};
export type ListApprovalRulesApiResponse =
  /** status 200 All approval rules. */ ApprovalRules;
export type ListApprovalRulesApiArg = void;
export type AddApprovalRuleApiResponse =
  /** status 201 The new approval rule. */ ApprovalRule;
export type AddApprovalRuleApiArg = {
  approvalRuleInput: ApprovalRuleInput;
};
export type ListCaughtCommandsApiResponse =
  /** status 200 Number, sum and newest of the commands that the rule would have covered. */ CaughtCommands;
export type ListCaughtCommandsApiArg = {
  /** Kind of commands that the rule covers. */
  kind: PublicApprovalKind;
  /** Roles of the makers that it covers, comma-separated. */
  makers: string;
  /** Smallest covered amount in USD; absent for every amount. Not for kinds without an amount. */
  fromAmount?: Money;
};
export type RemoveApprovalRuleApiResponse = unknown;
export type RemoveApprovalRuleApiArg = {
  id: string;
};
export type ChangeApprovalRuleApiResponse =
  /** status 200 The approval rule after the change. */ ApprovalRule;
export type ChangeApprovalRuleApiArg = {
  id: string;
  approvalRuleInput: ApprovalRuleInput;
};
export type GetCheckpointApiResponse =
  /** status 200 The signed checkpoint of the current end of the log. */ SignedCheckpoint;
export type GetCheckpointApiArg = void;
export type ListCheckpointsApiResponse =
  /** status 200 The stored checkpoints. */ KeptCheckpoints;
export type ListCheckpointsApiArg = void;
export type TakeCheckpointApiResponse =
  /** status 201 The stored checkpoint. */ KeptCheckpoint;
export type TakeCheckpointApiArg = void;
export type GetConsistencyApiResponse =
  /** status 200 The proof that one checkpoint's log is a prefix of the other's. */ ConsistencyFile;
export type GetConsistencyApiArg = {
  /** Earlier position; 0 is the empty log. */
  from: number;
  /** Later position. */
  to: number;
};
export type GetContinuousVerificationApiResponse =
  | /** status 200 The verification's state; null before its first step. */ ContinuousVerification
  | null;
export type GetContinuousVerificationApiArg = void;
export type ListAuditEventsApiResponse =
  /** status 200 The page of events with the count. */ AuditEventPage;
export type ListAuditEventsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "position"
    | "-position"
    | "at"
    | "-at"
    | "eventType"
    | "-eventType"
    | "recordType"
    | "-recordType"
    | "recordId"
    | "-recordId"
    | "actor"
    | "-actor"
    | "hash"
    | "-hash";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** The number or name of the record that they changed. */
  query?: string;
  /** Of this type. */
  eventType?: string;
  /** Of this sort of record. */
  recordType?: StreamKind;
  /** Of this record. */
  recordId?: string;
  /** Done by this party. */
  actorId?: string;
  /** Done by this request. */
  requestId?: string;
  /** On this day or later. */
  from?: string;
  /** On this day or before. */
  to?: string;
  /** With this hash. */
  hash?: string;
};
export type GetAuditEventApiResponse =
  /** status 200 The event with its fields and hashes. */ AuditEventDetails;
export type GetAuditEventApiArg = {
  position: number;
};
export type GetCheckpointKeysApiResponse =
  /** status 200 The public keys by which checkpoints are verified. */ CheckpointKeys;
export type GetCheckpointKeysApiArg = void;
export type ListLateChangesApiResponse =
  /** status 200 The page of late changes with the count. */ LateChangePage;
export type ListLateChangesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "at"
    | "-at"
    | "kind"
    | "-kind"
    | "record"
    | "-record"
    | "concerned"
    | "-concerned"
    | "daysLate"
    | "-daysLate"
    | "actor"
    | "-actor"
    | "amount"
    | "-amount"
    | "amountAfter"
    | "-amountAfter"
    | "currency"
    | "-currency"
    | "position"
    | "-position";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** Of this kind. */
  kind?: LateKind;
  /** Recorded on this day or later. */
  from?: string;
  /** Recorded on this day or before. */
  to?: string;
  /** Minimum number of days late. */
  daysLate?: number;
  /** Done by this party. */
  actorId?: string;
  /** Of this record. */
  recordId?: string;
  /** Whether a closure had frozen the day's figures before. */
  afterClosure?: boolean;
};
export type ExportLogApiResponse =
  /** status 200 The log, one JSON object per line. */ string;
export type ExportLogApiArg = void;
export type GetProofApiResponse =
  /** status 200 The proof of the event at the position. */ ProofFile;
export type GetProofApiArg = {
  position: number;
};
export type GetQuarantineApiResponse =
  /** status 200 The quarantine's state, with both histories during one. */ QuarantineState;
export type GetQuarantineApiArg = void;
export type ListReadingsApiResponse =
  /** status 200 The page of recorded readings with the count. */ PersonalReadPage;
export type ListReadingsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "at"
    | "-at"
    | "reader"
    | "-reader"
    | "seenAs"
    | "-seenAs"
    | "kind"
    | "-kind"
    | "call"
    | "-call"
    | "format"
    | "-format";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** Read by this party. */
  partyId?: string;
  /** Of this record. */
  recordId?: string;
  /** Of this kind. */
  kind?: ReadingKind;
  /** On this day or later. */
  from?: string;
  /** On this day or before. */
  to?: string;
};
export type GetTimelineApiResponse =
  /** status 200 The record's events, and its state at the position or time asked for. */ Timeline;
export type GetTimelineApiArg = {
  type: StreamKind;
  id: string;
  /** Through this position; absent for all events. */
  position?: number;
  /** Through this time, RFC 3339; absent for all events. */
  at?: string;
};
export type GetVerificationApiResponse =
  | /** status 200 The running or last verification; null when there was none. */ VerificationRun
  | null;
export type GetVerificationApiArg = void;
export type StartVerificationApiResponse =
  /** status 202 The verification that was started. */ VerificationRun;
export type StartVerificationApiArg = void;
export type LoginApiResponse =
  /** status 200 Access token and profile; the refresh token is in a cookie. */ Login;
export type LoginApiArg = {
  loginRequest: LoginRequest;
};
export type LogoutApiResponse = unknown;
export type LogoutApiArg = void;
export type GetLoginOptionsApiResponse =
  /** status 200 The ways to log in, and the rules of passwords. */ LoginOptions;
export type GetLoginOptionsApiArg = void;
export type BeginPasskeyLoginApiResponse =
  /** status 200 The challenge for `navigator.credentials.get`. */ PasskeyCeremony;
export type BeginPasskeyLoginApiArg = void;
export type FinishPasskeyLoginApiResponse =
  /** status 200 Access token and profile; the refresh token is in a cookie. */ Login;
export type FinishPasskeyLoginApiArg = {
  passkeyAnswerInput: PasskeyAnswerInput;
};
export type BeginSignOnApiResponse =
  /** status 200 The provider's address to log in at. */ SignOnBegun;
export type BeginSignOnApiArg = void;
export type FinishSignOnApiResponse =
  /** status 200 Access token and profile; the refresh token is in a cookie. */ Login;
export type FinishSignOnApiArg = {
  signOnFinishInput: SignOnFinishInput;
};
export type RefreshTokenApiResponse =
  /** status 200 A new access token. */ AccessToken;
export type RefreshTokenApiArg = void;
export type CreateCustomerApiResponse =
  /** status 201 The id of the new customer. */ Created;
export type CreateCustomerApiArg = {
  customerInput: CustomerInput;
};
export type AddCardApiResponse =
  /** status 201 The new card, its number masked. */ Card;
export type AddCardApiArg = {
  addCardInput: AddCardInput;
};
export type ListExpiringDocumentsApiResponse =
  /** status 200 The page of customers whose documents expire, with the count. */ CustomerPage;
export type ListExpiringDocumentsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "personalIdentificationNumber"
    | "-personalIdentificationNumber"
    | "personalIdentificationCountry"
    | "-personalIdentificationCountry"
    | "expires"
    | "-expires"
    | "phoneNumber"
    | "-phoneNumber";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** Expiring on this day or before; the next 30 days where absent. */
  expiresTo?: string;
  /** Of this agency, or agent with none. */
  agencyId?: string;
};
export type ListRecipientsApiResponse =
  /** status 200 The page of recipients with the count. */ CustomerPage;
export type ListRecipientsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "personalIdentificationNumber"
    | "-personalIdentificationNumber"
    | "personalIdentificationCountry"
    | "-personalIdentificationCountry"
    | "phoneNumber"
    | "-phoneNumber"
    | "addressLine"
    | "-addressLine"
    | "repart"
    | "-repart"
    | "municipality"
    | "-municipality"
    | "province"
    | "-province"
    | "alternativeName"
    | "-alternativeName"
    | "alternativePersonalIdentificationNumber"
    | "-alternativePersonalIdentificationNumber"
    | "alternativePhoneNumber"
    | "-alternativePhoneNumber"
    | "isActive"
    | "-isActive"
    | "created"
    | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  name?: string;
  /** Of this sender. */
  senderId?: string;
  /** Of this agency, or agent with none. */
  agencyId?: string;
  /** Whether they may be used. */
  isActive?: boolean;
};
export type ListSendersApiResponse =
  /** status 200 The page of senders with the count. */ CustomerPage;
export type ListSendersApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "phoneNumber"
    | "-phoneNumber"
    | "personalIdentificationNumber"
    | "-personalIdentificationNumber"
    | "personalIdentificationCountry"
    | "-personalIdentificationCountry"
    | "email"
    | "-email"
    | "addressLine"
    | "-addressLine"
    | "municipality"
    | "-municipality"
    | "province"
    | "-province"
    | "country"
    | "-country"
    | "zipCode"
    | "-zipCode"
    | "isActive"
    | "-isActive"
    | "totalReceivers"
    | "-totalReceivers"
    | "created"
    | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  name?: string;
  /** Of this sender. */
  senderId?: string;
  /** Of this agency, or agent with none. */
  agencyId?: string;
  /** Whether they may be used. */
  isActive?: boolean;
};
export type UpdateCustomerApiResponse =
  /** status 200 The customer after the change. */ Customer;
export type UpdateCustomerApiArg = {
  id: string;
  customerInput: CustomerInput;
};
export type ListCardsApiResponse =
  /** status 200 The page of the customer's cards with the count. */ CardPage;
export type ListCardsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "cardNumber"
    | "-cardNumber"
    | "brand"
    | "-brand"
    | "currency"
    | "-currency"
    | "created"
    | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  id: string;
};
export type GetCustomerApiResponse =
  /** status 200 The customer as of `X-Ledger-Position`. */ Customer;
export type GetCustomerApiArg = {
  id: string;
};
export type UploadDocumentFileApiResponse =
  /** status 201 The id of the stored file. */ StoredFile;
export type UploadDocumentFileApiArg = {
  /** Id of the customer */
  id: string;
  reviewFileInput: ReviewFileInput;
};
export type GetDocumentPicturesApiResponse =
  /** status 200 The pictures of the customer's present document. */ DocumentPictures;
export type GetDocumentPicturesApiArg = {
  id: string;
};
export type RecordDocumentPicturesApiResponse =
  /** status 200 The pictures of the customer's document after the change. */ DocumentPictures;
export type RecordDocumentPicturesApiArg = {
  id: string;
  documentPicturesInput: DocumentPicturesInput;
};
export type ExportDossierApiResponse =
  /** status 201 The record of the export, by whose position the dossier is read. */ DossierRecord;
export type ExportDossierApiArg = {
  id: string;
};
export type GetDossierApiResponse =
  /** status 200 The dossier in the format asked for. */ SignedDossier;
export type GetDossierApiArg = {
  id: string;
  position: number;
  /** `json` or `pdf`; absent for JSON. */
  format?: string;
};
export type GetRemittanceTotalsApiResponse =
  /** status 200 One row a currency. */ RemittanceTotals;
export type GetRemittanceTotalsApiArg = {
  /** Restricts to this agency. */
  agencyId?: string;
  /** Restricts to this payout currency, such as `CUP`. */
  currency?: string;
  /** First day, `YYYYMMDD`; with a last day only, the beginning. */
  initDate?: string;
  /** Last day, `YYYYMMDD`; with a first day only, until now. */
  finalDate?: string;
  /** Calendar range around today when no day is given: day 0 (default), week 1, month 2, year 3. */
  rangeSelector?: RangeSelector;
};
export type PreviewAgencyClosuresApiResponse =
  /** status 200 The page of closure previews with the count. */ ClosurePreviewPage;
export type PreviewAgencyClosuresApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** Of this seller. */
  partyId?: string;
  /** Of this agency's agents. */
  agencyId?: string;
  agencyReportInput: AgencyReportInput;
};
export type ListSellerRemittancesApiResponse =
  /** status 200 The page of sellers with the count. */ SellerRemittancesPage;
export type ListSellerRemittancesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "totalRemittance"
    | "-totalRemittance"
    | "amount"
    | "-amount";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** The first day; with a last one alone the beginning. */
  initDate?: string;
  /** The last day; with a first one alone until now. */
  finalDate?: string;
  /** A span around today where no day is named; today where absent. */
  rangeSelector?: RangeSelector;
};
export type PreviewAgentClosuresApiResponse =
  /** status 200 The page of closure previews with the count. */ ClosurePreviewPage;
export type PreviewAgentClosuresApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** Of this seller. */
  partyId?: string;
  /** Of this agency's agents. */
  agencyId?: string;
  agentReportInput: AgentReportInput;
};
export type GetAttentionApiResponse =
  /** status 200 At most 5 items of each kind. */ Attention;
export type GetAttentionApiArg = void;
export type ListDealerClosingsApiResponse =
  /** status 200 The page of cash flows by dealer with the count. */ DealerClosingPage;
export type ListDealerClosingsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** The first day; with a last one alone the beginning. */
  initDate?: string;
  /** The last day; with a first one alone until now. */
  finalDate?: string;
  /** A span around today where no day is named; today where absent. */
  rangeSelector?: RangeSelector;
  /** This dealer alone. */
  dealerId?: string;
};
export type ListDealerSalesApiResponse =
  /** status 200 The page of deliveries by dealer with the count. */ DealerSalesPage;
export type ListDealerSalesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** The first day; with a last one alone the beginning. */
  initDate?: string;
  /** The last day; with a first one alone until now. */
  finalDate?: string;
  /** A span around today where no day is named; today where absent. */
  rangeSelector?: RangeSelector;
  /** This dealer alone. */
  dealerId?: string;
};
export type GetRemittanceStatisticsApiResponse =
  /** status 200 One row a day of the period. */ RemittanceStatistics;
export type GetRemittanceStatisticsApiArg = {
  /** Restricts to this agency. */
  agencyId?: string;
  /** First day, `YYYYMMDD`; 29 days before the last day by default. */
  initDate?: string;
  /** Last day, `YYYYMMDD`; today by default. */
  finalDate?: string;
  /** Unit of a row: `hour` (of one day), `day` (default) or `month`. */
  per?: string;
};
export type ListSalesApiResponse =
  /** status 200 The page of sales by seller, and the totals of all pages. */ SalesPage;
export type ListSalesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "agency"
    | "-agency"
    | "remittances"
    | "-remittances"
    | "amount"
    | "-amount"
    | "payout"
    | "-payout"
    | "currency"
    | "-currency"
    | "managerFee"
    | "-managerFee"
    | "agencyFee"
    | "-agencyFee"
    | "agentFee"
    | "-agentFee"
    | "totalFee"
    | "-totalFee"
    | "margin"
    | "-margin";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** The first day; with a last one alone the beginning. */
  initDate?: string;
  /** The last day; with a first one alone until now. */
  finalDate?: string;
  /** A span around today where no day is named; today where absent. */
  rangeSelector?: RangeSelector;
  /** Of this agency and its agents. */
  agencyId?: string;
  /** Of this agent. */
  agentId?: string;
  /** Of this seller. */
  partyId?: string;
  /** Paid out in this currency. */
  currency?: string;
};
export type ListDealersApiResponse =
  | /** status 200 The page of dealers with the count; with `ReceiverId`, that dealer alone. */ DealerPage
  | Dealer;
export type ListDealersApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "type"
    | "-type"
    | "dealerName"
    | "-dealerName"
    | "identificationNumber"
    | "-identificationNumber"
    | "email"
    | "-email"
    | "phoneNumber"
    | "-phoneNumber"
    | "addressLine1"
    | "-addressLine1"
    | "municipality"
    | "-municipality"
    | "province"
    | "-province"
    | "zones"
    | "-zones"
    | "license"
    | "-license"
    | "handleMLC"
    | "-handleMLC"
    | "isActive"
    | "-isActive"
    | "created"
    | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** This one alone; the answer is it and no page. */
  receiverId?: string;
  /** Of this kind. */
  type?: DealerType;
  /** This dealer's delivery men. */
  dealerId?: string;
  /** Distributing in this province. */
  provinceId?: string;
  /** Distributing in this municipality. */
  municipalityId?: string;
  /** Whether they may be used. */
  isActive?: boolean;
  /** The deleted alone, or all others, as where absent. */
  deleted?: boolean;
};
export type CreateDealerApiResponse =
  /** status 201 The id of the new dealer. */ Created;
export type CreateDealerApiArg = {
  dealerInput: DealerInput;
};
export type UpdateNamedDealerApiResponse =
  /** status 200 The dealer after the change. */ Dealer;
export type UpdateNamedDealerApiArg = {
  dealerChangeInput: DealerChangeInput;
};
export type ListDealerBalanceAssignmentsApiResponse =
  /** status 200 The page of assignments with the count. */ MovementPage;
export type ListDealerBalanceAssignmentsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "number"
    | "-number"
    | "created"
    | "-created"
    | "kind"
    | "-kind"
    | "from"
    | "-from"
    | "to"
    | "-to"
    | "amount"
    | "-amount"
    | "currency"
    | "-currency"
    | "counterAmount"
    | "-counterAmount"
    | "counterCurrency"
    | "-counterCurrency"
    | "onCredit"
    | "-onCredit"
    | "reversed"
    | "-reversed"
    | "reverseReason"
    | "-reverseReason"
    | "actor"
    | "-actor"
    | "note"
    | "-note";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** Given or received by this party. */
  partyId?: string;
  /** To this agency. */
  agencyId?: string;
  /** To this agent. */
  agentId?: string;
  /** To this dealer or delivery man. */
  dealerId?: string;
  /** Of this kind. */
  kind?: MovementKind;
  /** Whether they were taken back. */
  reversed?: boolean;
  /** Of this currency. */
  currency?: string;
  /** Made on this day or later. */
  initDate?: string;
  /** Made on this day or before. */
  finalDate?: string;
};
export type ListDailyCreditApiResponse =
  /** status 200 The page of daily closings of dealers with the count. */ DealerClosingPage;
export type ListDailyCreditApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** The day; today where absent. */
  dateTime?: string;
  /** This dealer alone. */
  dealerId?: string;
};
export type ListDealerDirectoryApiResponse =
  /** status 200 The page of dealers with the count. */ DirectoryDealerPage;
export type ListDealerDirectoryApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?: "name" | "-name";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
};
export type RecordDealerExpenseApiResponse =
  /** status 201 The movement of the expense. */ Movement;
export type RecordDealerExpenseApiArg = {
  id: string;
  expenseInput: ExpenseInput;
};
export type GetDealerListReportApiResponse =
  /** status 200 The report as PDF. */ PdfFile;
export type GetDealerListReportApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "phoneNumber"
    | "-phoneNumber"
    | "isActive"
    | "-isActive"
    | "municipality"
    | "-municipality"
    | "province"
    | "-province"
    | "created"
    | "-created";
  /** A text to search for. */
  query?: string;
  /** This one alone; the answer is it and no page. */
  receiverId?: string;
  /** Of this kind. */
  type?: DealerType;
  /** This dealer's delivery men. */
  dealerId?: string;
  /** Distributing in this province. */
  provinceId?: string;
  /** Distributing in this municipality. */
  municipalityId?: string;
  /** Whether they may be used. */
  isActive?: boolean;
  /** The deleted alone, or all others, as where absent. */
  deleted?: boolean;
};
export type TransferDealerCashApiResponse =
  /** status 201 The movement of the transfer. */ Movement;
export type TransferDealerCashApiArg = {
  dealerTransferInput: DealerTransferInput;
};
export type UpdateDealerApiResponse =
  /** status 200 The dealer after the change. */ Dealer;
export type UpdateDealerApiArg = {
  id: string;
  dealerChangeInput: DealerChangeInput;
};
export type CreateDeliveryManApiResponse =
  /** status 201 The id of the new delivery man. */ Created;
export type CreateDeliveryManApiArg = {
  deliveryManInput: DeliveryManInput;
};
export type UpdateDeliveryManApiResponse =
  /** status 200 The delivery man after the change. */ Dealer;
export type UpdateDeliveryManApiArg = {
  id: string;
  deliveryManChangeInput: DeliveryManChangeInput;
};
export type ListNewsApiResponse =
  /** status 200 The notifications of the positions asked for. */ NewsList;
export type ListNewsApiArg = {
  /** Positions of the changes, comma-separated, at most 50. */
  positions: string;
};
export type ReadFeedApiResponse =
  /** status 200 The events after `after`, in the order of the log. */ PublicEvent[];
export type ReadFeedApiArg = {
  /** Events after this position; 0, the default, begins with the first event that there ever was. */
  after?: number;
  /** `X-Feed-Hash` of the answer that gave `after`: 409 when the log has another event there, as after the restore of a backup. */
  hash?: string;
  /** In place of `after`: events recorded at this moment or later, RFC 3339. Not in the future. */
  since?: string;
  /** Maximum events, up to 500; 100 when absent. */
  limit?: number;
  /** Only these types, comma-separated. */
  type?: string;
  /** Seconds to wait for an event when there is none, up to 25; 0, the default, answers at once. */
  wait?: number;
};
export type ListFeedTypesApiResponse =
  /** status 200 All event types of the feed. */ PublicEventTypes;
export type ListFeedTypesApiArg = void;
export type UploadFileApiResponse =
  /** status 201 The id of the stored file. */ StoredFile;
export type UploadFileApiArg = {
  uploadInput: UploadInput;
};
export type ListImportsApiResponse =
  /** status 200 The imports, newest first. */ Imports;
export type ListImportsApiArg = void;
export type UploadImportApiResponse =
  | /** status 200 The earlier import of the same file. */ ImportDetail
  | /** status 201 The new import. */ ImportDetail;
export type UploadImportApiArg = {
  importInput: ImportInput;
};
export type ListImportKindsApiResponse =
  /** status 200 The kinds of imports that the caller may make, with their fields. */ ImportKinds;
export type ListImportKindsApiArg = void;
export type GetImportApiResponse =
  /** status 200 The import with its progress. */ ImportDetail;
export type GetImportApiArg = {
  id: string;
};
export type CancelImportApiResponse =
  /** status 200 The canceled import; rows that were imported stay. */ ImportDetail;
export type CancelImportApiArg = {
  id: string;
};
export type ExportImportErrorsApiResponse =
  /** status 200 The rows with errors as a file. */ number[];
export type ExportImportErrorsApiArg = {
  id: string;
  /** `csv` or `xlsx`. */
  format: string;
};
export type SetImportMappingApiResponse =
  /** status 200 The import with the saved mapping. */ ImportDetail;
export type SetImportMappingApiArg = {
  id: string;
  importMapping: ImportMapping;
};
export type PauseImportApiResponse =
  /** status 200 The import; its run pauses after the row in work. */ ImportDetail;
export type PauseImportApiArg = {
  id: string;
};
export type PreviewImportApiResponse =
  /** status 200 The import; its preview has begun. */ ImportDetail;
export type PreviewImportApiArg = {
  id: string;
};
export type UploadImportProofsApiResponse =
  /** status 200 The import with the stored proofs. */ ImportDetail;
export type UploadImportProofsApiArg = {
  id: string;
  importProofsInput: ImportProofsInput;
};
export type ResumeImportApiResponse =
  /** status 200 The import; its run goes on. */ ImportDetail;
export type ResumeImportApiArg = {
  id: string;
};
export type ListImportRowsApiResponse =
  /** status 200 The page of rows with the count. */ ImportRowPage;
export type ListImportRowsApiArg = {
  id: string;
  /** Page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100, or 0 for all, up to 10,000. */
  recordsPerPage?: number;
  /** Rows that show this result alone. */
  result?: ImportRowResult;
};
export type ChangeImportRowApiResponse =
  /** status 200 The row after the change. */ ImportRow;
export type ChangeImportRowApiArg = {
  id: string;
  /** Number of the row, from 0 */
  number: number;
  importRowInput: ImportRowInput;
};
export type StartImportApiResponse =
  /** status 200 The import; its run has begun. */ ImportDetail;
export type StartImportApiArg = {
  id: string;
};
export type ListApiKeysApiResponse =
  /** status 200 The page of API keys with the count; without secrets. */ ApiKeyPage;
export type ListApiKeysApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "party"
    | "-party"
    | "start"
    | "-start"
    | "requestsPerMinute"
    | "-requestsPerMinute"
    | "expiresAt"
    | "-expiresAt"
    | "lastUsed"
    | "-lastUsed"
    | "created"
    | "-created"
    | "rotatedAt"
    | "-rotatedAt"
    | "revokedAt"
    | "-revokedAt";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** Of this party. */
  partyId?: string;
  /** Whether they are neither revoked nor expired. */
  live?: boolean;
};
export type IssueApiKeyApiResponse =
  /** status 201 The new API key with its secret, which is answered only once. */ ApiKeyWithSecret;
export type IssueApiKeyApiArg = {
  apiKeyInput: ApiKeyInput;
};
export type ListApiKeyScopesApiResponse =
  /** status 200 All scopes that the caller can give to a key. */ ApiKeyScopes;
export type ListApiKeyScopesApiArg = {
  /** Party; absent for the caller. */
  partyId?: string;
};
export type RevokeApiKeyApiResponse =
  /** status 200 The revoked API key. */ ApiKey;
export type RevokeApiKeyApiArg = {
  id: string;
};
export type RotateApiKeyApiResponse =
  /** status 200 The API key with its new secret, which is answered only once. */ ApiKeyWithSecret;
export type RotateApiKeyApiArg = {
  id: string;
  apiKeyRotationInput: ApiKeyRotationInput;
};
export type ListLimitRulesApiResponse =
  /** status 200 All limit rules. */ LimitRules;
export type ListLimitRulesApiArg = void;
export type AddLimitRuleApiResponse =
  /** status 201 The new limit rule. */ LimitRule;
export type AddLimitRuleApiArg = {
  limitRuleInput: LimitRuleInput;
};
export type RemoveLimitRuleApiResponse = unknown;
export type RemoveLimitRuleApiArg = {
  id: string;
};
export type ChangeLimitRuleApiResponse =
  /** status 200 The limit rule after the change. */ LimitRule;
export type ChangeLimitRuleApiArg = {
  id: string;
  limitRuleInput: LimitRuleInput;
};
export type BusinessMetricsApiResponse =
  /** status 200 The metrics in Prometheus's text format. */ string;
export type BusinessMetricsApiArg = void;
export type ListCitiesApiResponse =
  /** status 200 At most 50 cities, the most used first. */ NamedPlaceList;
export type ListCitiesApiArg = {
  /** ISO 3166-1 alpha-2 code. */
  country?: string;
  /** Searched for without case and accents. */
  query?: string;
};
export type ListCountriesApiResponse =
  /** status 200 All countries, by name. */ NamedPlaceList;
export type ListCountriesApiArg = void;
export type ListMunicipalitiesApiResponse =
  /** status 200 All municipalities, or those of the province. */ MunicipalityList;
export type ListMunicipalitiesApiArg = {
  /** Of this province. */
  provinceId?: string;
};
export type ListProvincesApiResponse =
  /** status 200 All provinces. */ ProvinceList;
export type ListProvincesApiArg = void;
export type ListCurrenciesApiResponse =
  /** status 200 The page of currencies with the count. */ CurrencyPage;
export type ListCurrenciesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "code"
    | "-code"
    | "symbol"
    | "-symbol"
    | "exchangeRate"
    | "-exchangeRate"
    | "distributionRate"
    | "-distributionRate"
    | "accounted"
    | "-accounted"
    | "enabled"
    | "-enabled";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
};
export type CreateCurrencyApiResponse =
  /** status 201 The new currency. */ Currency;
export type CreateCurrencyApiArg = {
  currencyInput: CurrencyInput;
};
export type DeleteCurrencyApiResponse = unknown;
export type DeleteCurrencyApiArg = {
  id: string;
};
export type UpdateCurrencyApiResponse =
  /** status 200 The currency after the change. */ Currency;
export type UpdateCurrencyApiArg = {
  id: string;
  currencyInput: CurrencyInput;
};
export type UpdateMunicipalityApiResponse =
  /** status 200 The municipality after the change. */ Municipality;
export type UpdateMunicipalityApiArg = {
  id: string;
  municipalityInput: MunicipalityInput;
};
export type DeleteNamedPaymentGroupApiResponse = unknown;
export type DeleteNamedPaymentGroupApiArg = {
  paymentGroupRef: PaymentGroupRef;
};
export type ListPaymentGroupsApiResponse =
  /** status 200 The page of payment groups with the count. */ PaymentGroupPage;
export type ListPaymentGroupsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "currencyTo"
    | "-currencyTo"
    | "exchangeRate"
    | "-exchangeRate"
    | "managerCommission"
    | "-managerCommission"
    | "agencyCommission"
    | "-agencyCommission"
    | "agentCommission"
    | "-agentCommission"
    | "isActive"
    | "-isActive";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** The catalogue, or the caller's own terms. */
  type?: PaymentGroupType;
};
export type CreatePaymentGroupApiResponse =
  /** status 201 The new payment group. */ PaymentGroup;
export type CreatePaymentGroupApiArg = {
  paymentGroupInput: PaymentGroupInput;
};
export type UpdateNamedPaymentGroupApiResponse =
  /** status 200 The payment group after the change. */ PaymentGroup;
export type UpdateNamedPaymentGroupApiArg = {
  paymentGroupInput: PaymentGroupInput;
};
export type DeletePaymentGroupApiResponse = unknown;
export type DeletePaymentGroupApiArg = {
  id: string;
};
export type UpdatePaymentGroupApiResponse =
  /** status 200 The payment group after the change. */ PaymentGroup;
export type UpdatePaymentGroupApiArg = {
  id: string;
  paymentGroupInput: PaymentGroupInput;
};
export type UpdateProvinceApiResponse =
  /** status 200 The province after the change. */ Province;
export type UpdateProvinceApiArg = {
  id: string;
  provinceInput: ProvinceInput;
};
export type ListStatesApiResponse =
  /** status 200 All states of the country, by name. */ NamedPlaceList;
export type ListStatesApiArg = {
  /** ISO 3166-1 alpha-2 code. */
  code: string;
};
export type ListPermissionSetsApiResponse =
  /** status 200 All permission sets. */ OfficePermissionSets;
export type ListPermissionSetsApiArg = void;
export type AddPermissionSetApiResponse =
  /** status 201 The new permission set. */ OfficePermissionSet;
export type AddPermissionSetApiArg = {
  permissionSetInput: PermissionSetInput;
};
export type RemovePermissionSetApiResponse = unknown;
export type RemovePermissionSetApiArg = {
  id: string;
};
export type ChangePermissionSetApiResponse =
  /** status 200 The permission set after the change. */ OfficePermissionSet;
export type ChangePermissionSetApiArg = {
  id: string;
  permissionSetInput: PermissionSetInput;
};
export type ListProposalsApiResponse =
  /** status 200 The page of proposals with the count. */ ProposalPage;
export type ListProposalsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "created"
    | "-created"
    | "kind"
    | "-kind"
    | "maker"
    | "-maker"
    | "amount"
    | "-amount"
    | "status"
    | "-status"
    | "expires"
    | "-expires"
    | "decidedBy"
    | "-decidedBy"
    | "number"
    | "-number";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** Whether they can be approved now. */
  waiting?: boolean;
  /** Whether the caller may approve and reject them now. */
  mayDecide?: boolean;
  /** Of this kind of rule, such as `expense`. */
  kind?: string;
  /** Proposed by this party. */
  makerId?: string;
  /** Proposed on this day or later. */
  dateFrom?: string;
  /** Proposed on this day or earlier. */
  dateTo?: string;
};
export type GetProposalApiResponse =
  /** status 200 The proposal with its command. */ ProposalDetail;
export type GetProposalApiArg = {
  id: string;
};
export type ApproveProposalApiResponse =
  /** status 200 The approved proposal; its command was executed. */ Proposal;
export type ApproveProposalApiArg = {
  id: string;
  approvalInput: ApprovalInput;
};
export type RejectProposalApiResponse =
  /** status 200 The rejected proposal. */ Proposal;
export type RejectProposalApiArg = {
  id: string;
  rejectionInput: RejectionInput;
};
export type WithdrawProposalApiResponse =
  /** status 200 The withdrawn proposal. */ Proposal;
export type WithdrawProposalApiArg = {
  id: string;
};
export type ListTodaysRatesApiResponse =
  /** status 200 All rates in force. */ RateSheet;
export type ListTodaysRatesApiArg = void;
export type ListRateChangesApiResponse =
  /** status 200 The page of rate changes with the count. */ RateChangePage;
export type ListRateChangesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "created"
    | "-created"
    | "createdBy"
    | "-createdBy"
    | "status"
    | "-status"
    | "at"
    | "-at"
    | "effectiveAt"
    | "-effectiveAt";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
};
export type ChangeRatesApiResponse =
  /** status 201 The rate change, applied or scheduled. */ RateChange;
export type ChangeRatesApiArg = {
  rateChangeInput: RateChangeInput;
};
export type GetRateChangeApiResponse =
  /** status 200 The rate change as of `X-Ledger-Position`. */ RateChange;
export type GetRateChangeApiArg = {
  id: string;
};
export type UndoRateChangeApiResponse =
  /** status 200 The rate change: withdrawn if it was scheduled, undone if it was applied. */ RateChange;
export type UndoRateChangeApiArg = {
  id: string;
};
export type ListRemittancesApiResponse =
  /** status 200 The page of remittances with the count. */ RemittancePage;
export type ListRemittancesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "code"
    | "-code"
    | "created"
    | "-created"
    | "updated"
    | "-updated"
    | "status"
    | "-status"
    | "held"
    | "-held"
    | "sender"
    | "-sender"
    | "recipient"
    | "-recipient"
    | "phoneNumber"
    | "-phoneNumber"
    | "deliveryMethod"
    | "-deliveryMethod"
    | "place"
    | "-place"
    | "groupName"
    | "-groupName"
    | "amount"
    | "-amount"
    | "totalFee"
    | "-totalFee"
    | "totalToPay"
    | "-totalToPay"
    | "payout"
    | "-payout"
    | "currencyTo"
    | "-currencyTo"
    | "agency"
    | "-agency"
    | "agent"
    | "-agent"
    | "dealer"
    | "-dealer"
    | "deliveryMan"
    | "-deliveryMan"
    | "reference"
    | "-reference"
    | "reason"
    | "-reason";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** In this state. */
  status?: RemittanceStatus;
  /** Sold on this day or later. */
  initDate?: string;
  /** Sold on this day or before. */
  finalDate?: string;
  /** Paid out in this currency. */
  currency?: string;
  /** Sold with this agency. */
  agencyId?: string;
  /** Sold by this agent. */
  agentId?: string;
  /** With this dealer. */
  dealerId?: string;
  /** With this delivery man. */
  deliveryManId?: string;
  /** Whether it waits for a review. */
  held?: boolean;
  /** Of this sender. */
  senderId?: string;
  /** For this recipient. */
  recipientId?: string;
  /** Brought to this province. */
  provinceId?: string;
  /** Brought to this municipality. */
  municipalityId?: string;
  /** Of this payment group. */
  paymentGroupId?: string;
  /** Paid this way. */
  deliveryMethod?: DeliveryMethod;
};
export type CreateRemittanceApiResponse =
  /** status 201 Id, code and quote of the new remittance. */ RemittanceCreated;
export type CreateRemittanceApiArg = {
  remittanceInput: RemittanceInput;
};
export type AssignDealerInBulkApiResponse =
  /** status 200 The result of each remittance. */ BulkAssignResult;
export type AssignDealerInBulkApiArg = {
  bulkAssignInput: BulkAssignInput;
};
export type ListDealerDeskApiResponse =
  /** status 200 The page of remittances in dispatch order with the count. */ RemittancePage;
export type ListDealerDeskApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "code"
    | "-code"
    | "created"
    | "-created"
    | "updated"
    | "-updated"
    | "status"
    | "-status"
    | "recipient"
    | "-recipient"
    | "phoneNumber"
    | "-phoneNumber"
    | "identificationNumber"
    | "-identificationNumber"
    | "addressLine"
    | "-addressLine"
    | "place"
    | "-place"
    | "card"
    | "-card"
    | "payout"
    | "-payout"
    | "currencyTo"
    | "-currencyTo"
    | "agency"
    | "-agency"
    | "dealer"
    | "-dealer"
    | "deliveryMan"
    | "-deliveryMan"
    | "notes"
    | "-notes";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** In this state. */
  status?: RemittanceStatus;
  /** Sold on this day or later. */
  initDate?: string;
  /** Sold on this day or before. */
  finalDate?: string;
  /** Paid out in this currency. */
  currency?: string;
  /** Sold with this agency. */
  agencyId?: string;
  /** Sold by this agent. */
  agentId?: string;
  /** With this dealer. */
  dealerId?: string;
  /** With this delivery man. */
  deliveryManId?: string;
  /** Whether it waits for a review. */
  held?: boolean;
  /** Of this sender. */
  senderId?: string;
  /** For this recipient. */
  recipientId?: string;
  /** Brought to this province. */
  provinceId?: string;
  /** Brought to this municipality. */
  municipalityId?: string;
  /** Of this payment group. */
  paymentGroupId?: string;
  /** Paid this way. */
  deliveryMethod?: DeliveryMethod;
  dealerDeskInput: DealerDeskInput;
};
export type UpdateRemittanceDetailsApiResponse =
  /** status 200 The remittance after the change. */ Remittance;
export type UpdateRemittanceDetailsApiArg = {
  id: string;
  remittanceDetailsInput: RemittanceDetailsInput;
};
export type ListDeliveryDisputesApiResponse =
  /** status 200 The page of delivery disputes with the count. */ DeliveryDisputePage;
export type ListDeliveryDisputesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "code"
    | "-code"
    | "status"
    | "-status"
    | "refused"
    | "-refused"
    | "remittanceStatus"
    | "-remittanceStatus"
    | "recipient"
    | "-recipient"
    | "payout"
    | "-payout"
    | "currencyTo"
    | "-currencyTo"
    | "reportedBy"
    | "-reportedBy"
    | "dealer"
    | "-dealer"
    | "delivered"
    | "-delivered"
    | "sent"
    | "-sent"
    | "settled"
    | "-settled"
    | "settledBy"
    | "-settledBy"
    | "settlement"
    | "-settlement";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** In this state. */
  status?: DisputeStatus;
  /** Of this remittance. */
  remittanceId?: string;
  /** Sent on this day or later. */
  initDate?: string;
  /** Sent on this day or before. */
  finalDate?: string;
};
export type GetQuoteApiResponse =
  /** status 200 The quote of the amount, at the caller's terms. */ Quote;
export type GetQuoteApiArg = {
  /** Id of the payment group. */
  paymentGroupId: string;
  /** Amount sent, in USD. */
  amount?: string;
  /** Minimum payout; the quote is for the smallest amount that reaches it. */
  payout?: string;
  /** Id of the seller; required from a manager. */
  sellerId?: string;
};
export type SummarizeRemittancesApiResponse =
  /** status 200 The numbers and sums of the remittances. */ RemittanceSummary;
export type SummarizeRemittancesApiArg = {
  /** A text to search for. */
  query?: string;
  /** In this state. */
  status?: RemittanceStatus;
  /** Sold on this day or later. */
  initDate?: string;
  /** Sold on this day or before. */
  finalDate?: string;
  /** Paid out in this currency. */
  currency?: string;
  /** Sold with this agency. */
  agencyId?: string;
  /** Sold by this agent. */
  agentId?: string;
  /** With this dealer. */
  dealerId?: string;
  /** With this delivery man. */
  deliveryManId?: string;
  /** Whether it waits for a review. */
  held?: boolean;
  /** Of this sender. */
  senderId?: string;
  /** For this recipient. */
  recipientId?: string;
  /** Brought to this province. */
  provinceId?: string;
  /** Brought to this municipality. */
  municipalityId?: string;
  /** Of this payment group. */
  paymentGroupId?: string;
  /** Paid this way. */
  deliveryMethod?: DeliveryMethod;
};
export type GetRemittanceApiResponse =
  /** status 200 The remittance as of `X-Ledger-Position`. */ Remittance;
export type GetRemittanceApiArg = {
  id: string;
};
export type UpdateRemittanceAmountApiResponse =
  /** status 200 The remittance with its new quote. */ Remittance;
export type UpdateRemittanceAmountApiArg = {
  id: string;
  remittanceAmountInput: RemittanceAmountInput;
};
export type AssignDealerApiResponse =
  /** status 200 The assigned remittance, with warnings. */ ChangedRemittance;
export type AssignDealerApiArg = {
  id: string;
  assignDealerInput: AssignDealerInput;
};
export type RecordDeliveryAttemptApiResponse =
  /** status 200 The remittance, which stays in shipping. */ Remittance;
export type RecordDeliveryAttemptApiArg = {
  id: string;
  attemptInput: AttemptInput;
};
export type SettleHoldBreachApiResponse =
  /** status 200 Id of the remittance whose breach is settled. */ SettledBreach;
export type SettleHoldBreachApiArg = {
  id: string;
  reasonInput: ReasonInput;
};
export type CancelRemittanceApiResponse =
  /** status 200 The canceled remittance. */ Remittance;
export type CancelRemittanceApiArg = {
  id: string;
  reasonInput: ReasonInput;
};
export type CompleteRemittanceApiResponse =
  | /** status 200 The completed remittance. */ Remittance
  | /** status 202 Refused by the remittance's state and kept as a dispute, where `orDispute` is true. */ DisputedDelivery;
export type CompleteRemittanceApiArg = {
  id: string;
  /** Whether this is the first try of a delivery that was made just now: a remittance in review is refused (409 `remittance_is_held`), as the carrier could know it. It says how the request is sent and not what it does: a later try without it, under the same idempotency key, is the same request. */
  atOnce?: boolean;
  completeInput: CompleteInput;
};
export type SettleDeliveryDisputeApiResponse =
  /** status 200 Id and number of the settled dispute. */ SettledDispute;
export type SettleDeliveryDisputeApiArg = {
  id: string;
  /** The dispute's number. */
  number: number;
  reasonInput: ReasonInput;
};
export type MarkRemittanceErrorApiResponse =
  /** status 200 The remittance with status error. */ Remittance;
export type MarkRemittanceErrorApiArg = {
  id: string;
  reasonInput: ReasonInput;
};
export type ListRemittanceHistoryApiResponse =
  /** status 200 The page of the remittance's history with the count. */ RemittanceHistoryPage;
export type ListRemittanceHistoryApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "at"
    | "-at"
    | "occurred"
    | "-occurred"
    | "change"
    | "-change"
    | "fromStatus"
    | "-fromStatus"
    | "status"
    | "-status"
    | "actor"
    | "-actor"
    | "approvedBy"
    | "-approvedBy"
    | "dealer"
    | "-dealer"
    | "deliveryMan"
    | "-deliveryMan"
    | "amount"
    | "-amount"
    | "payout"
    | "-payout"
    | "currencyTo"
    | "-currencyTo"
    | "reason"
    | "-reason";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  id: string;
};
export type ListRemittanceHoldsApiResponse =
  /** status 200 All holds of the remittance. */ RemittanceHolds;
export type ListRemittanceHoldsApiArg = {
  id: string;
};
export type HoldRemittanceApiResponse =
  /** status 201 The holds of the remittance, with the new one. */ RemittanceHolds;
export type HoldRemittanceApiArg = {
  id: string;
  reasonInput: ReasonInput;
};
export type UploadHoldFileApiResponse =
  /** status 201 The id of the stored file. */ StoredFile;
export type UploadHoldFileApiArg = {
  /** Id of the remittance */
  id: string;
  reviewFileInput: ReviewFileInput;
};
export type ReviewRemittanceHoldApiResponse =
  /** status 200 The holds of the remittance after the review. */ RemittanceHolds;
export type ReviewRemittanceHoldApiArg = {
  id: string;
  /** The hold's number. */
  number: number;
  holdReviewInput: HoldReviewInput;
};
export type GetRemittanceTermsApiResponse =
  /** status 200 The terms of the remittance's sale. */ RemittanceTerms;
export type GetRemittanceTermsApiArg = {
  id: string;
};
export type GetRemittanceProofApiResponse =
  /** status 200 The proof of the remittance's latest event. */ ProofFile;
export type GetRemittanceProofApiArg = {
  id: string;
};
export type GetRemittanceReceiptApiResponse =
  /** status 200 The receipt as PDF. */ PdfFile;
export type GetRemittanceReceiptApiArg = {
  id: string;
};
export type GetAddresseeReportApiResponse =
  /** status 200 A page with its totals. */ AddresseeReport;
export type GetAddresseeReportApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "recipient"
    | "-recipient"
    | "identification"
    | "-identification"
    | "phone"
    | "-phone"
    | "province"
    | "-province"
    | "municipality"
    | "-municipality"
    | "remittances"
    | "-remittances"
    | "delivered"
    | "-delivered"
    | "amount"
    | "-amount"
    | "payout"
    | "-payout"
    | "currency"
    | "-currency"
    | "last"
    | "-last";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** In this state. */
  status?: RemittanceStatus;
  /** On this day or later. */
  initDate?: string;
  /** On this day or before. */
  finalDate?: string;
  /** Paid out in this currency. */
  currency?: string;
  /** Sold with this agency. */
  agencyId?: string;
  /** Sold by this agent. */
  agentId?: string;
  /** With this dealer. */
  dealerId?: string;
  /** Of this sender. */
  senderId?: string;
  /** For this recipient. */
  recipientId?: string;
  /** Brought to this province. */
  provinceId?: string;
  /** Brought to this municipality. */
  municipalityId?: string;
  /** Paid this way. */
  deliveryMethod?: DeliveryMethod;
};
export type GetAgencyReportApiResponse =
  /** status 200 A page with its totals. */ AgencyReport;
export type GetAgencyReportApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "code"
    | "-code"
    | "created"
    | "-created"
    | "agency"
    | "-agency"
    | "agent"
    | "-agent"
    | "sender"
    | "-sender"
    | "recipient"
    | "-recipient"
    | "deliveryMethod"
    | "-deliveryMethod"
    | "status"
    | "-status"
    | "amount"
    | "-amount"
    | "assignedPercent"
    | "-assignedPercent"
    | "toPay"
    | "-toPay"
    | "totalToPay"
    | "-totalToPay"
    | "payout"
    | "-payout"
    | "currency"
    | "-currency";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** In this state. */
  status?: RemittanceStatus;
  /** On this day or later. */
  initDate?: string;
  /** On this day or before. */
  finalDate?: string;
  /** Paid out in this currency. */
  currency?: string;
  /** Sold with this agency. */
  agencyId?: string;
  /** Sold by this agent. */
  agentId?: string;
  /** Of this sender. */
  senderId?: string;
  /** For this recipient. */
  recipientId?: string;
  /** Of this payment group. */
  paymentGroupId?: string;
  /** Paid this way. */
  deliveryMethod?: DeliveryMethod;
};
export type GetAttorneyReportApiResponse =
  /** status 200 A page with its totals. */ AttorneyReport;
export type GetAttorneyReportApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "code"
    | "-code"
    | "completed"
    | "-completed"
    | "recipient"
    | "-recipient"
    | "identification"
    | "-identification"
    | "representative"
    | "-representative"
    | "representativeIdentification"
    | "-representativeIdentification"
    | "representativePhone"
    | "-representativePhone"
    | "province"
    | "-province"
    | "municipality"
    | "-municipality"
    | "deliveredBy"
    | "-deliveredBy"
    | "payout"
    | "-payout"
    | "currency"
    | "-currency";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** On this day or later. */
  initDate?: string;
  /** On this day or before. */
  finalDate?: string;
  /** Paid out in this currency. */
  currency?: string;
  /** Sold with this agency. */
  agencyId?: string;
  /** Sold by this agent. */
  agentId?: string;
  /** With this dealer. */
  dealerId?: string;
  /** With this delivery man. */
  deliveryManId?: string;
  /** For this recipient. */
  recipientId?: string;
  /** Brought to this province. */
  provinceId?: string;
  /** Brought to this municipality. */
  municipalityId?: string;
};
export type GetDistributionAgencyReportApiResponse =
  /** status 200 A page with its totals. */ DistributionAgencyReport;
export type GetDistributionAgencyReportApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "seller"
    | "-seller"
    | "dealer"
    | "-dealer"
    | "shipping"
    | "-shipping"
    | "shippingPayout"
    | "-shippingPayout"
    | "delivered"
    | "-delivered"
    | "deliveredPayout"
    | "-deliveredPayout"
    | "error"
    | "-error"
    | "errorPayout"
    | "-errorPayout"
    | "distributionFee"
    | "-distributionFee"
    | "currency"
    | "-currency";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** On this day or later. */
  initDate?: string;
  /** On this day or before. */
  finalDate?: string;
  /** Paid out in this currency. */
  currency?: string;
  /** Sold with this agency. */
  agencyId?: string;
  /** Sold by this agent. */
  agentId?: string;
  /** With this dealer. */
  dealerId?: string;
  /** Brought to this province. */
  provinceId?: string;
  /** Paid this way. */
  deliveryMethod?: DeliveryMethod;
};
export type GetDistributorReportApiResponse =
  /** status 200 A page with its totals. */ DistributorReport;
export type GetDistributorReportApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "dealer"
    | "-dealer"
    | "status"
    | "-status"
    | "remittances"
    | "-remittances"
    | "amount"
    | "-amount"
    | "payout"
    | "-payout"
    | "distributionFee"
    | "-distributionFee"
    | "currency"
    | "-currency"
    | "last"
    | "-last";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** In this state. */
  status?: RemittanceStatus;
  /** On this day or later. */
  initDate?: string;
  /** On this day or before. */
  finalDate?: string;
  /** Paid out in this currency. */
  currency?: string;
  /** Sold with this agency. */
  agencyId?: string;
  /** With this dealer. */
  dealerId?: string;
  /** With this delivery man. */
  deliveryManId?: string;
  /** Brought to this province. */
  provinceId?: string;
  /** Brought to this municipality. */
  municipalityId?: string;
  /** Paid this way. */
  deliveryMethod?: DeliveryMethod;
};
export type GetDistributorShippingReportApiResponse =
  /** status 200 A page with its totals. */ DistributorShippingReport;
export type GetDistributorShippingReportApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "dealer"
    | "-dealer"
    | "deliveryMan"
    | "-deliveryMan"
    | "code"
    | "-code"
    | "recipient"
    | "-recipient"
    | "identification"
    | "-identification"
    | "phone"
    | "-phone"
    | "deliveryMethod"
    | "-deliveryMethod"
    | "municipality"
    | "-municipality"
    | "province"
    | "-province"
    | "cardBrand"
    | "-cardBrand"
    | "payout"
    | "-payout"
    | "currency"
    | "-currency"
    | "assigned"
    | "-assigned";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** On this day or later. */
  initDate?: string;
  /** On this day or before. */
  finalDate?: string;
  /** Paid out in this currency. */
  currency?: string;
  /** Sold with this agency. */
  agencyId?: string;
  /** With this dealer. */
  dealerId?: string;
  /** With this delivery man. */
  deliveryManId?: string;
  /** Brought to this province. */
  provinceId?: string;
  /** Brought to this municipality. */
  municipalityId?: string;
  /** Paid this way. */
  deliveryMethod?: DeliveryMethod;
};
export type GetHistoryReportApiResponse =
  /** status 200 A page with its totals. */ HistoryReport;
export type GetHistoryReportApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "at"
    | "-at"
    | "code"
    | "-code"
    | "change"
    | "-change"
    | "deliveryMethod"
    | "-deliveryMethod"
    | "fromStatus"
    | "-fromStatus"
    | "toStatus"
    | "-toStatus"
    | "actor"
    | "-actor"
    | "dealer"
    | "-dealer"
    | "deliveryMan"
    | "-deliveryMan"
    | "recipient"
    | "-recipient"
    | "amount"
    | "-amount"
    | "payout"
    | "-payout"
    | "currency"
    | "-currency";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** Leaving this state. */
  fromStatus?: RemittanceStatus;
  /** Reaching this state. */
  toStatus?: RemittanceStatus;
  /** Of this remittance. */
  remittanceId?: string;
  /** On this day or later. */
  initDate?: string;
  /** On this day or before. */
  finalDate?: string;
  /** Paid out in this currency. */
  currency?: string;
  /** Sold with this agency. */
  agencyId?: string;
  /** Sold by this agent. */
  agentId?: string;
  /** With this dealer. */
  dealerId?: string;
  /** With this delivery man. */
  deliveryManId?: string;
};
export type GetHoldsReportApiResponse =
  /** status 200 A page with its totals. */ HoldsReport;
export type GetHoldsReportApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "reason"
    | "-reason"
    | "side"
    | "-side"
    | "window"
    | "-window"
    | "limitAmount"
    | "-limitAmount"
    | "limitCount"
    | "-limitCount"
    | "paymentGroups"
    | "-paymentGroups"
    | "lists"
    | "-lists"
    | "held"
    | "-held"
    | "released"
    | "-released"
    | "kept"
    | "-kept"
    | "canceled"
    | "-canceled"
    | "deliveredWhileHeld"
    | "-deliveredWhileHeld"
    | "open"
    | "-open"
    | "hours"
    | "-hours"
    | "amount"
    | "-amount"
    | "currency"
    | "-currency";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** Held for this reason. */
  reason?: PublicHoldReason;
  /** Held by this limit rule. */
  ruleId?: string;
  /** Held on this day or later. */
  initDate?: string;
  /** Held on this day or before. */
  finalDate?: string;
  /** Released on this day or later. */
  releasedFrom?: string;
  /** Released on this day or before. */
  releasedTo?: string;
};
export type GetLargeSumsReportApiResponse =
  /** status 200 A page with its totals. */ LargeSumsReport;
export type GetLargeSumsReportApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "person"
    | "-person"
    | "side"
    | "-side"
    | "identification"
    | "-identification"
    | "phone"
    | "-phone"
    | "remittances"
    | "-remittances"
    | "amount"
    | "-amount"
    | "currency"
    | "-currency"
    | "last"
    | "-last";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** Length of the rolling window in days; 30 where absent. */
  days?: RollingDays;
  /** People whose remittances within the window reach this sum of amounts sent, in USD. */
  amountFrom?: string;
  /** People with at least so many remittances within the window. */
  remittancesFrom?: number;
  /** Sent, or received. */
  side?: CustomerSide;
  /** On this day or later. */
  initDate?: string;
  /** On this day or before. */
  finalDate?: string;
};
export type GetPendingDistributorReportApiResponse =
  /** status 200 A page with its totals. */ PendingDistributorReport;
export type GetPendingDistributorReportApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "province"
    | "-province"
    | "municipality"
    | "-municipality"
    | "deliveryMethod"
    | "-deliveryMethod"
    | "unassigned"
    | "-unassigned"
    | "shipping"
    | "-shipping"
    | "error"
    | "-error"
    | "remittances"
    | "-remittances"
    | "payout"
    | "-payout"
    | "currency"
    | "-currency"
    | "oldest"
    | "-oldest";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** In this state. */
  status?: RemittanceStatus;
  /** On this day or later. */
  initDate?: string;
  /** On this day or before. */
  finalDate?: string;
  /** Paid out in this currency. */
  currency?: string;
  /** Sold with this agency. */
  agencyId?: string;
  /** With this dealer. */
  dealerId?: string;
  /** Brought to this province. */
  provinceId?: string;
  /** Brought to this municipality. */
  municipalityId?: string;
  /** Paid this way. */
  deliveryMethod?: DeliveryMethod;
};
export type GetScreeningApiResponse =
  /** status 200 The lists in use, and the progress of the comparison with them. */ ScreeningView;
export type GetScreeningApiArg = void;
export type ListScreeningCasesApiResponse =
  /** status 200 The page of screening cases with the count. */ ScreeningCasePage;
export type ListScreeningCasesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "customer"
    | "-customer"
    | "score"
    | "-score"
    | "lists"
    | "-lists"
    | "status"
    | "-status"
    | "found"
    | "-found"
    | "decidedBy"
    | "-decidedBy";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** `open`, `confirmed`, `cleared` or `erased`. */
  status?: string;
  /** With a candidate of this list. */
  list?: string;
  /** Whether remittances are held for the match. */
  held?: boolean;
  /** Of this customer. */
  customerId?: string;
  /** Found on this day or later. */
  dateFrom?: string;
  /** Found on this day or earlier. */
  dateTo?: string;
};
export type GetScreeningCaseApiResponse =
  /** status 200 The screening case with its candidates. */ ScreeningCaseDetail;
export type GetScreeningCaseApiArg = {
  /** Id of the customer */
  id: string;
};
export type DecideScreeningPairApiResponse =
  /** status 200 The screening case after the decision. */ ScreeningCaseDetail;
export type DecideScreeningPairApiArg = {
  /** Id of the customer */
  id: string;
  pairDecisionInput: PairDecisionInput;
};
export type UploadScreeningFileApiResponse =
  /** status 201 The id of the stored file. */ StoredFile;
export type UploadScreeningFileApiArg = {
  /** Id of the customer */
  id: string;
  reviewFileInput: ReviewFileInput;
};
export type ReleaseScreeningHoldsApiResponse =
  /** status 200 The screening case after the release. */ ScreeningCaseDetail;
export type ReleaseScreeningHoldsApiArg = {
  /** Id of the customer */
  id: string;
  reasonInput: ReasonInput;
};
export type SetScreeningListsApiResponse =
  /** status 200 The lists in use, and the progress of the comparison with them. */ ScreeningView;
export type SetScreeningListsApiArg = {
  screeningRuleInput: ScreeningRuleInput;
};
export type LoadOwnScreeningListApiResponse =
  /** status 201 The lists in use, with the loaded one, and the progress of the comparison. */ ScreeningView;
export type LoadOwnScreeningListApiArg = {
  ownListInput: OwnListInput;
};
export type CheckOwnScreeningListApiResponse =
  /** status 200 The entries read from the file, and what would be left out. */ OwnListCheck;
export type CheckOwnScreeningListApiArg = {
  ownListInput: OwnListInput;
};
export type RemoveOwnScreeningListApiResponse =
  /** status 200 The lists still in use, and the progress of the comparison. */ ScreeningView;
export type RemoveOwnScreeningListApiArg = {
  /** Name of the list */
  name: string;
};
export type ListOwnScreeningListVersionsApiResponse =
  /** status 200 The versions of the own list. */ OwnListVersions;
export type ListOwnScreeningListVersionsApiArg = {
  /** Name of the list */
  name: string;
};
export type GetSecondFactorApiResponse =
  /** status 200 The caller's second factor, and whether its role requires one. */ SecondFactor;
export type GetSecondFactorApiArg = {
  /** Party; absent for the caller. Others than the caller are for managers. */
  partyId?: string;
};
export type GiveSecondFactorCodeApiResponse =
  /** status 200 The code was right; until when it is fresh. */ FreshSecondFactorCode;
export type GiveSecondFactorCodeApiArg = {
  secondFactorCodeInput: SecondFactorCodeInput;
};
export type BeginSecondFactorEnrolmentApiResponse =
  /** status 201 The secret of the new second factor, to be confirmed by a code. */ SecondFactorEnrolment;
export type BeginSecondFactorEnrolmentApiArg = {
  secondFactorEnrolmentInput: SecondFactorEnrolmentInput;
};
export type ConfirmSecondFactorEnrolmentApiResponse =
  /** status 200 The recovery codes, answered only once; the second factor is in force. */ SecondFactorRecoveryCodes;
export type ConfirmSecondFactorEnrolmentApiArg = {
  id: string;
  secondFactorCodeInput: SecondFactorCodeInput;
};
export type BeginPasskeyConfirmationApiResponse =
  /** status 200 The challenge for `navigator.credentials.get`. */ PasskeyCeremony;
export type BeginPasskeyConfirmationApiArg = void;
export type FinishPasskeyConfirmationApiResponse =
  /** status 200 The passkey was verified; until when the confirmation is fresh. */ FreshSecondFactorCode;
export type FinishPasskeyConfirmationApiArg = {
  passkeyAnswerInput: PasskeyAnswerInput;
};
export type BeginPasskeyApiResponse =
  /** status 200 The challenge for `navigator.credentials.create`. */ PasskeyCeremony;
export type BeginPasskeyApiArg = {
  passkeyBeginInput: PasskeyBeginInput;
};
export type FinishPasskeyApiResponse =
  /** status 201 Id of the passkey, and recovery codes with the first one. */ PasskeyAdded;
export type FinishPasskeyApiArg = {
  passkeyInput: PasskeyInput;
};
export type RemovePasskeyApiResponse = unknown;
export type RemovePasskeyApiArg = {
  id: string;
};
export type RenewRecoveryCodesApiResponse =
  /** status 200 The new recovery codes, answered only once; the earlier ones are void. */ SecondFactorRecoveryCodes;
export type RenewRecoveryCodesApiArg = {
  optionalSecondFactorCodeInput: OptionalSecondFactorCodeInput;
};
export type RemoveSecondFactorApiResponse = unknown;
export type RemoveSecondFactorApiArg = {
  optionalSecondFactorCodeInput: OptionalSecondFactorCodeInput;
};
export type EndSessionsApiResponse = unknown;
export type EndSessionsApiArg = {
  /** Party; absent for the caller. Others than the caller are for managers. */
  partyId?: string;
};
export type ListSessionsApiResponse =
  /** status 200 All sessions of the caller. */ SessionList;
export type ListSessionsApiArg = {
  /** Party; absent for the caller. Others than the caller are for managers. */
  partyId?: string;
};
export type EndSessionApiResponse = unknown;
export type EndSessionApiArg = {
  id: string;
  /** Party; absent for the caller. Others than the caller are for managers. */
  partyId?: string;
};
export type SetPasswordPolicyApiResponse =
  /** status 200 The rules of passwords after the change. */ PasswordRules;
export type SetPasswordPolicyApiArg = {
  passwordPolicyInput: PasswordPolicyInput;
};
export type GetSecondFactorRolesApiResponse =
  /** status 200 The roles that require a second factor. */ SecondFactorRoles;
export type GetSecondFactorRolesApiArg = void;
export type SetSecondFactorRolesApiResponse =
  /** status 200 The roles that require a second factor, after the change. */ SecondFactorRoles;
export type SetSecondFactorRolesApiArg = {
  secondFactorRuleInput: SecondFactorRuleInput;
};
export type RemoveSignOnApiResponse = unknown;
export type RemoveSignOnApiArg = void;
export type GetSignOnApiResponse =
  /** status 200 The settings of single sign-on, without the secret. */ SignOnSettings;
export type GetSignOnApiArg = void;
export type SetSignOnApiResponse =
  /** status 200 The settings of single sign-on after the change. */ SignOnSettings;
export type SetSignOnApiArg = {
  signOnProviderInput: SignOnProviderInput;
};
export type ListDebitsApiResponse =
  /** status 200 The page of debits with the count. */ DebitPage;
export type ListDebitsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "created"
    | "-created"
    | "debtor"
    | "-debtor"
    | "creditor"
    | "-creditor"
    | "origin"
    | "-origin"
    | "status"
    | "-status"
    | "amount"
    | "-amount"
    | "paid"
    | "-paid"
    | "outstanding"
    | "-outstanding"
    | "settled"
    | "-settled";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** In this state. */
  status?: DebitStatus;
  /** Of this debtor. */
  partyId?: string;
};
export type DepositToAgencyApiResponse =
  /** status 201 The movement of the assignment. */ Movement;
export type DepositToAgencyApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type DepositToAgentApiResponse =
  /** status 201 The movement of the assignment. */ Movement;
export type DepositToAgentApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type DepositToDealerApiResponse =
  /** status 201 The movement of the cash assignment. */ Movement;
export type DepositToDealerApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type DepositToDeliveryManApiResponse =
  /** status 201 The movement of the cash assignment. */ Movement;
export type DepositToDeliveryManApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type DepositToManagerApiResponse =
  /** status 201 The movement of the deposit. */ Movement;
export type DepositToManagerApiArg = {
  depositInput: DepositInput;
};
export type DepositToPartyApiResponse =
  /** status 201 The movement of the assignment, of balance or cash by the party's role. */ Movement;
export type DepositToPartyApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type ListMovementsApiResponse =
  /** status 200 The page of movements with the count. */ MovementPage;
export type ListMovementsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "number"
    | "-number"
    | "created"
    | "-created"
    | "kind"
    | "-kind"
    | "from"
    | "-from"
    | "to"
    | "-to"
    | "amount"
    | "-amount"
    | "currency"
    | "-currency"
    | "counterAmount"
    | "-counterAmount"
    | "counterCurrency"
    | "-counterCurrency"
    | "onCredit"
    | "-onCredit"
    | "reversed"
    | "-reversed"
    | "reverseReason"
    | "-reverseReason"
    | "actor"
    | "-actor"
    | "note"
    | "-note";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** Given or received by this party. */
  partyId?: string;
  /** To this agency. */
  agencyId?: string;
  /** To this agent. */
  agentId?: string;
  /** To this dealer or delivery man. */
  dealerId?: string;
  /** Of this kind. */
  kind?: MovementKind;
  /** Whether they were taken back. */
  reversed?: boolean;
  /** Of this currency. */
  currency?: string;
  /** Made on this day or later. */
  initDate?: string;
  /** Made on this day or before. */
  finalDate?: string;
};
export type GetMovementApiResponse =
  /** status 200 The movement as of `X-Ledger-Position`. */ Movement;
export type GetMovementApiArg = {
  id: string;
};
export type GetMovementReceiptApiResponse =
  /** status 200 The receipt as PDF. */ PdfFile;
export type GetMovementReceiptApiArg = {
  id: string;
};
export type ReverseMovementApiResponse =
  /** status 200 The reversed movement. */ Movement;
export type ReverseMovementApiArg = {
  id: string;
  reasonInput: ReasonInput;
};
export type PayDebitsApiResponse =
  /** status 201 The movement of the payment. */ Movement;
export type PayDebitsApiArg = {
  payDebitsInput: PayDebitsInput;
};
export type ListUsersApiResponse =
  /** status 200 The page of users with the count. */ UserPage;
export type ListUsersApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "userType"
    | "-userType"
    | "ownerName"
    | "-ownerName"
    | "email"
    | "-email"
    | "phone"
    | "-phone"
    | "isActive"
    | "-isActive"
    | "lastAccess"
    | "-lastAccess"
    | "created"
    | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** A text to search for. */
  query?: string;
  /** Of this role. */
  userType?: UserType;
  /** Whether they may log in. */
  isActive?: boolean;
  /** The deleted alone, or all others, as where absent. */
  deleted?: boolean;
};
export type CreateUserApiResponse =
  /** status 201 The id of the new user. */ Created;
export type CreateUserApiArg = {
  userInput: UserInput;
};
export type ChangePasswordApiResponse = unknown;
export type ChangePasswordApiArg = {
  /** The address that the caller logs in with. */
  email: string;
  changePasswordInput: ChangePasswordInput;
};
export type ForgotPasswordApiResponse = unknown;
export type ForgotPasswordApiArg = {
  /** The address that the user logs in with. */
  email: string;
};
export type GetProfileApiResponse =
  /** status 200 The caller with its role and permissions. */ Profile;
export type GetProfileApiArg = void;
export type UpdateProfileApiResponse =
  /** status 200 The caller's profile after the change. */ Profile;
export type UpdateProfileApiArg = {
  profileInput: ProfileInput;
};
export type ResetPasswordApiResponse = unknown;
export type ResetPasswordApiArg = {
  /** The address that the user logs in with. */
  email: string;
  resetPasswordInput: ResetPasswordInput;
};
export type DeleteUserApiResponse = unknown;
export type DeleteUserApiArg = {
  id: string;
};
export type GetUserApiResponse =
  /** status 200 The user as of `X-Ledger-Position`. */ User;
export type GetUserApiArg = {
  id: string;
};
export type UpdateUserApiResponse =
  /** status 200 The user after the change. */ User;
export type UpdateUserApiArg = {
  id: string;
  userChangeInput: UserChangeInput;
};
export type SetOfficeAccessApiResponse =
  /** status 200 The user with the new access. */ User;
export type SetOfficeAccessApiArg = {
  id: string;
  officeAccessInput: OfficeAccessInput;
};
export type ResetSecondFactorApiResponse = unknown;
export type ResetSecondFactorApiArg = {
  id: string;
};
export type UnbindSignOnApiResponse = unknown;
export type UnbindSignOnApiArg = {
  id: string;
};
export type BeginViewingApiResponse =
  /** status 201 The token to see as the party. */ ViewingToken;
export type BeginViewingApiArg = {
  id: string;
};
export type EndViewingApiResponse = unknown;
export type EndViewingApiArg = void;
export type ListWebhooksApiResponse =
  /** status 200 The page of webhooks with the count. */ WebhookPage;
export type ListWebhooksApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "party"
    | "-party"
    | "url"
    | "-url"
    | "status"
    | "-status"
    | "created"
    | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf" | "parquet";
  /** Of this party. */
  partyId?: string;
  /** Whether events are sent to them. */
  active?: boolean;
};
export type AddWebhookApiResponse =
  /** status 201 The new webhook with its secret, which is answered only once. */ WebhookWithSecret;
export type AddWebhookApiArg = {
  webhookInput: WebhookInput;
};
export type RemoveWebhookApiResponse = unknown;
export type RemoveWebhookApiArg = {
  id: string;
};
export type ChangeWebhookApiResponse =
  /** status 200 The webhook after the change. */ Webhook;
export type ChangeWebhookApiArg = {
  id: string;
  webhookChangeInput: WebhookChangeInput;
};
export type ListWebhookDeliveriesApiResponse =
  /** status 200 The newest 200 deliveries. */ WebhookDeliveries;
export type ListWebhookDeliveriesApiArg = {
  id: string;
};
export type GetWebhookDeliveryApiResponse =
  /** status 200 The delivery with its request and the endpoint's answer. */ WebhookDeliveryDetail;
export type GetWebhookDeliveryApiArg = {
  id: string;
  /** Position of the event. */
  number: number;
};
export type SendWebhookAgainApiResponse =
  /** status 200 The delivery after it was sent; it has the endpoint's answer. */ WebhookDelivery;
export type SendWebhookAgainApiArg = {
  id: string;
  /** Position of the event. */
  number: number;
};
export type PauseWebhookApiResponse =
  /** status 200 The paused webhook. */ Webhook;
export type PauseWebhookApiArg = {
  id: string;
};
export type ReplayWebhookApiResponse =
  /** status 200 The webhook, which sends again from the position. */ Webhook;
export type ReplayWebhookApiArg = {
  id: string;
  webhookReplayInput: WebhookReplayInput;
};
export type ResumeWebhookApiResponse =
  /** status 200 The resumed webhook. */ Webhook;
export type ResumeWebhookApiArg = {
  id: string;
};
export type RotateWebhookSecretApiResponse =
  /** status 200 The webhook with its new secret, which is answered only once. */ WebhookWithSecret;
export type RotateWebhookSecretApiArg = {
  id: string;
  webhookRotationInput: WebhookRotationInput;
};
export type Money = string;
export type CurrencyCode = string;
export type AccountKind =
  | "treasury"
  | "field_cash"
  | "debits"
  | "commission_receivable"
  | "agency_receivable"
  | "balance"
  | "remittances_pending"
  | "remittances_shipping"
  | "remittances_error"
  | "deferred_commission"
  | "agency_memo"
  | "capital"
  | "fx_position"
  | "commission_income"
  | "distribution_fees"
  | "dealer_expenses";
export type NormalSide = "debit" | "credit";
export type Ref = {
  /** Id of the record. */
  id: string;
  /** Current name; null after erasure. */
  name: string | null;
};
export type AccountBalance = {
  /** Account as text, `kind[/owner[/group]]/CURRENCY`; filters the entries by account. */
  account: string;
  /** Balance at the end of the period: opening + debits − credits. */
  closing: Money;
  /** Number in the chart of accounts, such as `1000`. */
  code: string;
  /** Amounts credited in the period. */
  credits: Money;
  /** Currency code, such as `CUP`. */
  currency: CurrencyCode;
  /** Amounts debited in the period. */
  debits: Money;
  /** Kind of the account, which determines its number and normal side. */
  kind: AccountKind;
  /** Side on which screens and files show opening and closing as positive. */
  normalSide: NormalSide;
  /** Balance at the beginning of the period. */
  opening: Money;
  owner: Ref | null;
  /** Payment group of a prepaid balance; null for other accounts. */
  paymentGroupId: string | null;
};
export type SideTotals = {
  /** Sum of the closing balances. */
  closing: Money;
  /** Amounts credited in the period. */
  credits: Money;
  /** Amounts debited in the period. */
  debits: Money;
  /** Sum of the opening balances. */
  opening: Money;
};
export type AccountTotals = {
  /** Sum of the closing balances. */
  closing: Money;
  /** Accounts with normal side credit: opening − debits + credits = closing. Over the whole ledger, opening and
    closing equal those of the debit side. */
  creditSide: SideTotals;
  /** Amounts credited in the period. */
  credits: Money;
  /** Currency code, such as `CUP`. */
  currency: CurrencyCode;
  /** Accounts with normal side debit: opening + debits − credits = closing. */
  debitSide: SideTotals;
  /** Amounts debited in the period. */
  debits: Money;
  /** Sum of the opening balances. */
  opening: Money;
};
export type AccountBalancePage = {
  currentPage: number;
  data: AccountBalance[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
  /** All rows of all pages, by currency. */
  totals: AccountTotals[];
};
export type Said = {
  /** Text with `{name}` placeholders; absent without any. */
  template?: string;
  /** Values of the placeholders. */
  values?: any[];
};
export type FieldProblem = Said & {
  /** Stable code, such as `balance_insufficient`; `docs/errors.md` lists all. */
  code: string;
  /** Text in the caller's language (`Accept-Language`). */
  detail: string;
  /** Path of the field as in the request, such as `paymentGroups[0].exchangeRate`. */
  field: string;
  /** For `changed_since_read`: the current value, null when empty. */
  now?: any;
};
export type Decimal = string;
export type Figures = {
  exchangeRate: Decimal | null;
  /** Amount paid out, in `payoutCurrency`. */
  payout: Money;
  /** Currency of `payout`, such as `CUP`. */
  payoutCurrency: CurrencyCode;
  /** Currency of `totalToPay`: USD, except for an exchange. */
  totalCurrency: CurrencyCode;
  totalFee: Money | null;
  /** Amount paid or owed for it, in `totalCurrency`. */
  totalToPay: Money;
};
export type Problem = Said & {
  /** Stable; listed in the documentation. */
  code: string;
  /** Text in the caller's language (`Accept-Language`). */
  detail: string;
  /** Errors per field; empty unless the request is invalid. */
  errors?: FieldProblem[];
  /** Current figures, for `quote_changed`. */
  figures?: Figures;
  /** Figures of the proposal, for `quote_changed` of an approval. */
  proposed?: Figures;
  /** HTTP status. */
  status: number;
  /** Title of the status, in the caller's language. */
  title: string;
  /** URI of the code. */
  type: string;
};
export type ClosureGroup = {
  /** Amount sent, net of cancellations and edits, in USD. */
  amount: Money;
  /** Received from the manager or agency. */
  assigned: Money;
  /** opening + assigned − given − sold + returned. */
  closing: Money;
  /** Currency code, such as `CUP`. */
  currency: CurrencyCode;
  /** Given to its agents. */
  given: Money;
  /** Name of the payment group. */
  groupName: string;
  /** Balance at the previous cut, or an opening balance posted since. */
  opening: Money;
  /** Id of the payment group. */
  paymentGroupId: string;
  /** Remittances sold less those canceled. */
  remittances: number;
  /** Payouts returned by cancellations and amount edits. */
  returned: Money;
  /** Payouts sold, including re-sales by an amount edit. */
  sold: Money;
};
export type ClosureFigures = {
  /** The agency's commission, in USD. */
  agencyCommission: Money;
  /** The agent's commission, in USD. */
  agentCommission: Money;
  /** Amount sent, net of cancellations and edits, in USD. */
  amount: Money;
  /** Commission accrued at the cut, in USD; billed by the closure when positive. */
  commissionAccrued: Money;
  /** Debits opened in the period, in USD, excluding the one opened by this closure. */
  debitsOpened: Money;
  /** Outstanding debits at the cut, in USD. */
  debitsOutstanding: Money;
  /** Payments on debits in the period, in USD. */
  debitsPaid: Money;
  /** One element per payment group. */
  groups: ClosureGroup[];
  /** The manager's commission, in USD. */
  managerCommission: Money;
  /** Remittances sold less those canceled. */
  remittances: number;
};
export type Closure = {
  /** Id of the debit owed to the agency that the closure opened; null when nothing was billed. */
  agencyDebitId: string | null;
  /** Time of the closure, RFC 3339 in UTC. */
  created: string;
  /** Id of the debit owed to the manager that the closure opened; null when nothing was billed. */
  debitId: string | null;
  /** Frozen figures. */
  figures: ClosureFigures;
  /** Cut of the previous closure; null for a party's first. */
  from: string | null;
  /** UUID. */
  id: string;
  /** Human number, such as `C-000001`. */
  number: string;
  /** The seller. */
  party: Ref;
  /** End of the period, exclusive, RFC 3339 in UTC. */
  to: string;
};
export type ClosurePage = {
  currentPage: number;
  data: Closure[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type ClosureInput = {
  /** Id of the seller. */
  partyId: string;
  /** Last day of the period, `YYYYMMDD`, inclusive, in the tenant's time zone; absent for until now. */
  to?: string;
};
export type PdfFile = Blob;
export type UserType = 2 | 3 | 4 | 5 | 6;
export type HistoryActor = {
  /** Id of the party. */
  id: string | null;
  /** Current name; null after the person's erasure. */
  name: string | null;
  userType: UserType | null;
};
export type StreamKind =
  | "tenant"
  | "currency"
  | "place"
  | "payment_group"
  | "party"
  | "customer"
  | "remittance"
  | "movement"
  | "closure"
  | "rates"
  | "api_key"
  | "webhook"
  | "proposal";
export type AccountRef = {
  /** Account as text: `kind[/owner[/group]]/CURRENCY`. */
  account: string;
  balanceAfter: Money | null;
  /** Number in the chart of accounts, such as `1000`. */
  code: string;
  /** Kind of the account, which determines its number and normal side. */
  kind: AccountKind;
  /** Side on which screens show its balance as positive. */
  normalSide: NormalSide;
  owner: Ref | null;
  /** Payment group of a prepaid balance; null for other accounts. */
  paymentGroupId: string | null;
};
export type LedgerTransfer = {
  /** Amount, above 0. */
  amount: Money;
  /** Purpose of the transfer, such as `sale`. */
  code: string;
  /** Account credited. */
  credit: AccountRef;
  /** Currency of the amount, such as `CUP`. */
  currency: CurrencyCode;
  /** Account debited. */
  debit: AccountRef;
};
export type LedgerEntry = {
  /** Party that did it; all fields null for the system. */
  actor: HistoryActor;
  /** Time of recording, RFC 3339 in UTC. */
  at: string;
  /** Id of the record. */
  causeId: string;
  /** Kind of the record that caused it: `remittance`, `movement` or `closure`. */
  causeKind: StreamKind;
  /** Human number of the record, such as `R-000001`. */
  causeNumber: string | null;
  /** Event type, such as `RemittanceCreated`. */
  eventType: string;
  /** Position of the event in the tenant's log, from 1. */
  position: number;
  /** Whether it reverses an earlier entry. */
  reversal: boolean;
  /** Transfers in order; only those that touch an account in the caller's scope. */
  transfers: LedgerTransfer[];
};
export type LedgerEntryPage = {
  currentPage: number;
  data: LedgerEntry[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type RowAct =
  | "edit"
  | "delete"
  | "setTerms"
  | "setOwnTerms"
  | "deposit"
  | "pay"
  | "transfer"
  | "exchange"
  | "recordExpense"
  | "closePeriod"
  | "addRecipient"
  | "addCard"
  | "reverse"
  | "settle"
  | "undo"
  | "rotate"
  | "revoke"
  | "pause"
  | "resume"
  | "replay";
export type RowAction = {
  /** The action that `refusal` is about. */
  action: RowAct;
  /** Refusal code, such as `party_holds_cash`; null when allowed. `role_not_allowed` when the caller's role can never
    perform it. */
  refusal: string | null;
};
export type AgentType = 0 | 1;
export type Holding = {
  /** Total received from the manager or agency, with the opening balance. */
  assigned: Money;
  /** Prepaid balance or cash, in `currency`. */
  balance: Money;
  /** Currency code, such as `CUP`. */
  currency: CurrencyCode;
  /** Delivery fees earned, taken from the cash. */
  distributionFees: Money;
  /** Cash received for cash of another currency. */
  exchangedIn: Money;
  /** Cash given for cash of another currency. */
  exchangedOut: Money;
  /** Expenses of a dealer or delivery man. */
  expenses: Money;
  /** Total given by an agency to its agents, or by a dealer to its delivery men. */
  given: Money;
  /** Name of the payment group, or the currency for cash. */
  groupName: string;
  /** Cash that delivery men handed back to the dealer. */
  handedBack: Money;
  /** Cash that the delivery man handed back to his dealer. */
  handedBackToDealer: Money;
  /** Catalogue payment group; null for cash. */
  paymentGroupId: string | null;
  /** Cash returned to the manager. */
  returnedToManager: Money;
  /** Payouts of remittances sold and not canceled; for cash, paid out to recipients. */
  spent: Money;
  /** Cash received from other field parties. */
  transferredIn: Money;
  /** Cash given to other field parties. */
  transferredOut: Money;
};
export type PartyBalance = {
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RowAction[];
  agency: Ref | null;
  /** Outstanding debits owed to the agency, in USD. */
  agencyDebitsOutstanding: Money;
  /** The agency's fees accrued and not billed yet, in USD. */
  agencyFeeOwed: Money;
  agentType: AgentType | null;
  /** One element per payment group or, for cash, per currency. */
  balances: Holding[];
  /** The manager's commission accrued and not billed yet, in USD. */
  commissionOwed: Money;
  dealer: Ref | null;
  /** Outstanding debits owed to the manager, in USD. */
  debitsOutstanding: Money;
  /** Time of the last change of its balances or obligations; null before the first. */
  lastMovement: string | null;
  /** Id and name of the party; null name after erasure. */
  party: Ref;
  userType: UserType | null;
};
export type PartyBalancePage = {
  currentPage: number;
  data: PartyBalance[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type RealBalance = {
  /** Whether the total includes the currency. */
  accounted: boolean;
  /** Currency code, such as `CUP`. */
  currency: CurrencyCode;
  /** Outstanding debits of sellers to the manager. */
  debits: Money;
  /** Payouts of remittances in error. */
  error: Money;
  /** Current reference rate: units per USD. */
  exchangeRate: Decimal;
  /** Cash of dealers and delivery men; negative when they advanced their own. */
  fieldCash: Money;
  /** Payouts of remittances not assigned yet. */
  pending: Money;
  /** Prepaid balances of sellers; negative when sold on credit. */
  prepaid: Money;
  /** treasury + field cash − pending − shipping − error − prepaid + debits. */
  real: Money;
  /** Payouts of remittances with dealers. */
  shipping: Money;
  /** The manager's cash. */
  treasury: Money;
  usd: Money | null;
};
export type RealBalancePage = {
  currentPage: number;
  data: RealBalance[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
  /** The sum of all accounted currencies, in USD. */
  totalUsd: Money;
};
export type UtilityType = 0 | 1;
export type Commission = {
  minimalAmount: Money | null;
  /** Percentage of the amount; negative for a discount. */
  rate: Decimal;
  /** Unit of `utilityValue`. */
  utilityType: UtilityType;
  utilityValue: Decimal | null;
};
export type ManagerCommission = {
  /** Percentage of the amount; negative for a discount. */
  rate: Decimal;
};
export type PaymentGroupType = 0 | 1;
export type ProfilePaymentGroup = {
  agencyCommission: Commission | null;
  agentCommission: Commission | null;
  /** Prepaid balance or cash, in `currencyTo`. */
  amount: Money;
  creditLimit: Money | null;
  /** Currency of the amount sold: USD; for cash its currency. */
  currencyFrom: CurrencyCode;
  /** Currency paid out, such as `CUP`. */
  currencyTo: CurrencyCode;
  exchangeRate: Decimal | null;
  /** Payouts of remittances sold and not canceled; for cash the expenses. */
  expenses: Money;
  /** The party's own name for the group, else the catalogue's; the currency for cash. */
  groupName: string;
  /** Catalogue payment group; null for cash. */
  id: string | null;
  /** Whether it may be sold now. */
  isActive: boolean;
  managerCommission: ManagerCommission | null;
  /** The same id as `id`; null for cash. */
  paymentGroupId: string | null;
  /** Always 1: a party's own terms. */
  type: PaymentGroupType;
};
export type Agency = {
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RowAction[];
  /** Address, first of three lines. */
  addressLine1: string | null;
  /** Address, second of three lines. */
  addressLine2: string | null;
  /** Address, third of three lines. */
  addressLine3: string | null;
  /** City, as text. */
  city: string | null;
  /** Country as an ISO 3166-1 alpha-2 code, such as `US`. */
  country: string | null;
  /** Time of creation, RFC 3339 in UTC. */
  created: string;
  /** E-mail address of its login; unique in the tenant. */
  email: string;
  /** UUID. */
  id: string;
  /** Whether it can log in and be named by new commands. */
  isActive: boolean;
  /** Name; empty after erasure. */
  name: string;
  /** Terms and balances per payment group. */
  paymentGroups: ProfilePaymentGroup[];
  /** Telephone number in E.164, such as `+5352345678`. */
  phone: string | null;
  /** URL path of the profile picture; null when there is none. */
  profilePicture: string | null;
  /** State or province, as text. */
  province: string | null;
  /** Names of fields whose stored telephone or document number today's validation rejects (recorded before these
    rules, or imported). Changing such a field requires a valid value. */
  toCorrect: string[];
  /** Time of the last change, RFC 3339 in UTC. */
  updated: string;
  /** Postal code, as text. */
  zip: string | null;
};
export type AgencyPage = {
  currentPage: number;
  data: Agency[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type Created = {
  /** Id of the created record. */
  id: string;
};
export type MoneyInput = string | number;
export type DecimalInput = string | number;
export type CommissionInput = {
  minimalAmount?: MoneyInput | null;
  /** Percentage of the amount, -100 to 100; negative for a discount. */
  rate: DecimalInput;
  /** Unit of `utilityValue`: fixed 0, percentage 1. */
  utilityType?: UtilityType;
  utilityValue?: DecimalInput | null;
};
export type PartyTermsInput = {
  /** Commission of an agency. */
  agencyCommission?: CommissionInput;
  /** Commission of an agent. */
  agentCommission?: CommissionInput;
  /** Credit limit: how far below 0 the balance may go, in the group's currency. */
  creditLimit?: MoneyInput;
  /** Exchange rate: units of the group's currency per USD. */
  exchangeRate?: DecimalInput;
  /** Whether the party may sell it. */
  isActive?: boolean;
  /** The party's own name for the group, at most 80 characters. */
  name?: string;
  /** Id of the catalogue's payment group. */
  paymentGroupId: string;
};
export type AgencyInput = {
  /** Address, first of three lines. */
  addressLine1?: string | null;
  /** Address, second of three lines. */
  addressLine2?: string | null;
  /** Address, third of three lines. */
  addressLine3?: string | null;
  /** City, as text. */
  city?: string | null;
  /** Country as an ISO 3166-1 alpha-2 code, such as `US`. */
  country?: string | null;
  /** E-mail address of the login; unique in the tenant. */
  email: string;
  /** Whether it can log in and be named by new commands; a new one defaults to true. */
  isActive?: boolean;
  /** Name, at most 120 characters. */
  name: string;
  /** By the tenant's policy: 8 to 15 characters with a digit, a special character, an upper and a lower case letter and
    no blanks; or 12 to 128 of any kind. */
  password: string;
  /** Terms, one per payment group that it sells. */
  paymentGroups?: PartyTermsInput[];
  /** Telephone number in E.164, such as `+13055550123`. */
  phone?: string | null;
  /** Id or URL path of an uploaded file. */
  profilePicture?: string | null;
  /** State or province, as text. */
  province?: string | null;
  /** Postal code, as text. */
  zip?: string | null;
};
export type ManagerCommissionInput = {
  /** Percentage of the amount, -100 to 100; negative for a discount. */
  rate: DecimalInput;
};
export type StandingTermsInput = {
  /** Commission of the agency; compared where it is the agency's terms. */
  agencyCommission?: CommissionInput;
  /** Commission of the agent. */
  agentCommission?: CommissionInput;
  /** Prepaid balance; not compared. */
  amount?: MoneyInput;
  /** Credit limit. */
  creditLimit?: MoneyInput;
  /** Currency of the amount sold; not compared. */
  currencyFrom?: string;
  /** Currency paid out; not compared. */
  currencyTo?: string;
  /** Exchange rate. */
  exchangeRate?: DecimalInput;
  /** Payouts; not compared. */
  expenses?: MoneyInput;
  /** Name of the group; not compared. */
  groupName?: string;
  /** Id of the catalogue's payment group again. */
  id?: string;
  /** Whether it may be sold. */
  isActive?: boolean;
  /** The manager's commission; not compared. */
  managerCommission?: ManagerCommissionInput;
  /** The party's own name for the group. */
  name?: string;
  /** Id of the catalogue's payment group. */
  paymentGroupId: string;
  /** Always 1: a party's own terms. */
  type?: PaymentGroupType;
};
export type AgencyChangeInput = {
  /** Address, first of three lines. */
  addressLine1?: string | null;
  /** Address, second of three lines. */
  addressLine2?: string | null;
  /** Address, third of three lines. */
  addressLine3?: string | null;
  /** City, as text. */
  city?: string | null;
  /** Country as an ISO 3166-1 alpha-2 code, such as `US`. */
  country?: string | null;
  /** E-mail address of the login; unique in the tenant. */
  email: string;
  /** Id of the agency, when the path does not contain it. */
  id?: string;
  /** Whether it can log in and be named by new commands; a new one defaults to true. */
  isActive?: boolean;
  /** Name, at most 120 characters. */
  name: string;
  /** New password; the current one stays when absent. */
  password?: string | null;
  /** Terms as they stand, from clients that send whole agencies back. Others are refused: they are changed by
    `PUT /api/agency/exchange_rate/{id}`. */
  paymentGroups?: StandingTermsInput[];
  /** Telephone number in E.164, such as `+13055550123`. */
  phone?: string | null;
  /** Id or URL path of an uploaded file. */
  profilePicture?: string | null;
  /** State or province, as text. */
  province?: string | null;
  /** Previous values of the sent fields, as the client read them. With `was`, absent fields stay unchanged,
    and a field that someone else has changed since is refused: 409 `changed_since_read`. Without it, the
    whole record is replaced. */
  was?: object | null;
  /** Postal code, as text. */
  zip?: string | null;
};
export type MovementAmount = {
  /** Amount, in `currency`. */
  amount: Money;
  /** Currency code, such as `CUP`. */
  currency: CurrencyCode;
};
export type MovementKind =
  | "managerDeposit"
  | "balanceAssignment"
  | "dealerDeposit"
  | "deliveryDeposit"
  | "dealerTransfer"
  | "dealerExchange"
  | "dealerReturn"
  | "expense"
  | "debitPayment"
  | "openingBalance";
export type Movement = {
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RowAction[];
  /** Party that recorded it. */
  actor: HistoryActor;
  /** Amount given and, when another currency is involved, its counter value. Of a payment that is also on debits of others, the
    part of the caller and its subordinates. */
  amounts: MovementAmount[];
  approvedBy: Ref | null;
  /** Time of recording, RFC 3339 in UTC. */
  created: string;
  /** Id of the debit that it opened; null when none. */
  debitId: string | null;
  from: Ref | null;
  /** UUID. */
  id: string;
  /** Kind of the movement, which determines who gives and who receives. */
  kind: MovementKind;
  /** Note, or concept of an expense; null after erasure, and of a payment that is also on debits of others. */
  note: string | null;
  /** Human number, such as `M-000001`. */
  number: string;
  /** Whether the value is owed instead of paid. */
  onCredit: boolean;
  /** Payment group of a balance; null for cash. */
  paymentGroupId: string | null;
  /** Reason of the reversal; null when not reversed, after erasure, and of a payment that is also on debits of others. */
  reverseReason: string | null;
  /** Whether it was reversed. */
  reversed: boolean;
  to: Ref | null;
};
export type MovementPage = {
  currentPage: number;
  data: Movement[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type TermsInput = {
  /** Commission of an agency, as an object. */
  agencyCommission?: CommissionInput;
  /** Commission of an agent, as an object. */
  agentCommission?: CommissionInput;
  /** Credit limit: how far below 0 the balance may go; set by the superior. */
  creditLimit?: MoneyInput;
  /** Currency of the amount sold: always USD. */
  currencyFrom?: string;
  /** Currency paid out; immutable. */
  currencyTo?: string;
  /** Exchange rate: units of the group's currency per USD; set by the superior. */
  exchangeRate?: DecimalInput;
  /** Whether the party may sell it; set by the superior. */
  isActive?: boolean;
  minimalAmount?: MoneyInput | null;
  /** The party's own name for the group, at most 80 characters. */
  name?: string;
  /** Id of the catalogue's payment group. */
  paymentGroupId: string;
  /** Percentage of the amount, -100 to 100; negative for a discount. */
  rate?: DecimalInput;
  /** Always 1: a party's own terms. */
  type?: PaymentGroupType;
  /** Unit of `utilityValue`: fixed 0, percentage 1. */
  utilityType?: UtilityType;
  utilityValue?: DecimalInput | null;
  /** Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    refused: 409 `changed_since_read`. */
  was?: object | null;
};
export type Agent = {
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RowAction[];
  /** Address, first of three lines. */
  addressLine1: string | null;
  /** Address, second of three lines. */
  addressLine2: string | null;
  /** Address, third of three lines. */
  addressLine3: string | null;
  /** Id of its agency; null for an agent of the manager. */
  agencyId: string | null;
  /** Name of its agency; null for an agent of the manager, and after the agency's erasure. */
  agencyName: string | null;
  /** Internal or external. */
  agentType: AgentType;
  /** City of the postal address; null when none was given, and after erasure. */
  city: string | null;
  /** City, as text. */
  country: string | null;
  /** Time of creation, RFC 3339 in UTC. */
  created: string;
  /** E-mail address of its login; unique in the tenant. */
  email: string;
  /** UUID. */
  id: string;
  /** Whether it can log in and be named by new commands. */
  isActive: boolean;
  /** Name; empty after erasure. */
  name: string;
  /** Terms and balances per payment group; an internal agent has its agency's. */
  paymentGroups: ProfilePaymentGroup[];
  /** Telephone number in E.164, such as `+5352345678`. */
  phone: string | null;
  /** URL path of the profile picture; null when there is none. */
  profilePicture: string | null;
  /** State or province, as text. */
  province: string | null;
  /** Names of fields whose stored telephone or document number today's validation rejects (recorded before these
    rules, or imported). Changing such a field requires a valid value. */
  toCorrect: string[];
  /** Time of the last change, RFC 3339 in UTC. */
  updated: string;
  /** Postal code, as text. */
  zip: string | null;
};
export type AgentPage = {
  currentPage: number;
  data: Agent[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type AgentInput = {
  /** Address, first of three lines. */
  addressLine1?: string | null;
  /** Address, second of three lines. */
  addressLine2?: string | null;
  /** Address, third of three lines. */
  addressLine3?: string | null;
  /** Id of its agency; required for an internal agent, optional for a calling agency. */
  agencyId?: string | null;
  /** Kind: internal 0, external 1. */
  agentType: AgentType;
  /** City, as text. */
  city?: string | null;
  /** Country as an ISO 3166-1 alpha-2 code, such as `US`. */
  country?: string | null;
  /** E-mail address of the login; unique in the tenant. */
  email: string;
  /** Whether it can log in and be named by new commands; a new one defaults to true. */
  isActive?: boolean;
  /** Name, at most 120 characters. */
  name: string;
  /** By the tenant's policy: 8 to 15 characters with a digit, a special character, an upper and a lower case letter and
    no blanks; or 12 to 128 of any kind. */
  password: string;
  /** Terms of an external agent, one per payment group that it sells. */
  paymentGroups?: PartyTermsInput[];
  /** Telephone number in E.164, such as `+13055550123`. */
  phone?: string | null;
  /** Id or URL path of an uploaded file. */
  profilePicture?: string | null;
  /** State or province, as text. */
  province?: string | null;
  /** Postal code, as text. */
  zip?: string | null;
};
export type AgentChangeInput = {
  /** Address, first of three lines. */
  addressLine1?: string | null;
  /** Address, second of three lines. */
  addressLine2?: string | null;
  /** Address, third of three lines. */
  addressLine3?: string | null;
  /** Id of its agency; immutable. */
  agencyId?: string | null;
  /** Kind; immutable. */
  agentType?: AgentType;
  /** City, as text. */
  city?: string | null;
  /** Country as an ISO 3166-1 alpha-2 code, such as `US`. */
  country?: string | null;
  /** E-mail address of the login; unique in the tenant. */
  email: string;
  /** Whether it can log in and be named by new commands; a new one defaults to true. */
  isActive?: boolean;
  /** Name, at most 120 characters. */
  name: string;
  /** New password; the current one stays when absent. */
  password?: string | null;
  /** Terms as they stand, from clients that send whole agents back. Others are refused: they are changed by
    `PUT /api/agent/exchange_rate/{id}`. */
  paymentGroups?: StandingTermsInput[];
  /** Telephone number in E.164, such as `+13055550123`. */
  phone?: string | null;
  /** Id or URL path of an uploaded file. */
  profilePicture?: string | null;
  /** State or province, as text. */
  province?: string | null;
  /** Previous values of the sent fields, as the client read them. With `was`, absent fields stay unchanged,
    and a field that someone else has changed since is refused: 409 `changed_since_read`. Without it, the
    whole record is replaced. */
  was?: object | null;
  /** Postal code, as text. */
  zip?: string | null;
};
export type PublicRole =
  | "manager"
  | "agency"
  | "external_agent"
  | "internal_agent"
  | "dealer"
  | "delivery_man";
export type PublicApprovalKind =
  | "assignment_on_cash"
  | "assignment_on_credit"
  | "credit_limit"
  | "terms_and_rates"
  | "reversal"
  | "expense"
  | "dealer_exchange"
  | "cancel_shipping"
  | "late_amount_edit"
  | "user"
  | "card_number"
  | "closing"
  | "hold_release"
  | "limit_rules"
  | "screening_rules"
  | "approval_rules";
export type Warning = Said & {
  /** Stable code, such as `balance_insufficient`; `docs/errors.md` lists all. */
  code: string;
  /** Text in the caller's language (`Accept-Language`). */
  detail: string;
};
export type ApprovalRule = {
  /** Role that approves; managers always may. */
  approvers: PublicRole;
  /** Hours after which a proposal can't be approved any more. */
  expiresAfterHours: number;
  fromAmount: Money | null;
  /** UUID. */
  id: string;
  /** Kind of commands that the rule covers. */
  kind: PublicApprovalKind;
  /** Roles of the makers that it covers. */
  makers: PublicRole[];
  /** Warnings about the rule; only in the answer to its change. */
  warnings: Warning[];
};
export type ApprovalRules = {
  /** In the order in which they were added. */
  results: ApprovalRule[];
};
export type ApprovalRuleInput = {
  /** Role that approves, `manager` or `agency`; managers always may. */
  approvers: PublicRole;
  /** Hours after which a proposal can't be approved any more, up to 720. */
  expiresAfterHours: number;
  fromAmount?: MoneyInput | null;
  /** Kind of commands that the rule covers. */
  kind: PublicApprovalKind;
  /** Roles of the makers that it covers. */
  makers: PublicRole[];
  /** Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    refused: 409 `changed_since_read`. Absent, the rule is replaced as a whole. Only for changes. */
  was?: object | null;
};
export type CaughtCommand = {
  amount: Money | null;
  /** Time of the command, RFC 3339 in UTC. */
  at: string;
  /** Party that gave it. */
  maker: HistoryActor;
  /** Position of its first event in the log. */
  position: number;
  /** Changed record. */
  recordId: string;
  /** Human number or name of the record; null after erasure, and for a record of an area that the caller does not read. */
  recordName: string | null;
  /** Kind of the changed record. */
  recordType: StreamKind;
};
export type CaughtCommands = {
  /** Number of the commands that the rule would have covered. */
  count: number;
  /** Whether there was too much to judge all of the last 30 days. */
  isCutOff: boolean;
  /** Most rows in `results`. */
  pageSize: number;
  /** The newest of them, newest first. */
  results: CaughtCommand[];
  /** Commands since then were judged: 30 days ago, or later where `isCutOff`. */
  since: string;
  sum: Money | null;
};
export type PreviousCheckpoint = {
  /** SHA-256 of its signed bytes and signature: 64 hexadecimal digits. */
  digest: string;
  /** Position that it signs. */
  position: number;
};
export type SignedCheckpoint = {
  /** Type of the file: `checkpoint`. */
  caudal: string;
  /** Format: 2, or 1 of older versions. */
  format: number;
  /** Hash of the last event: 64 hexadecimal digits. */
  hash: string;
  /** Name of the signing key. */
  key: string;
  /** Position of the last event. */
  position: number;
  previous: PreviousCheckpoint | null;
  /** Time of the last event, RFC 3339 in UTC. */
  recordedAt: string;
  /** Merkle root over the events up to the position: 64 hexadecimal digits; null in format 1. */
  root: string | null;
  /** Ed25519 signature, in Base64. */
  signature: string;
  /** Time of the signature, RFC 3339 in UTC. */
  signedAt: string;
  /** Tenant id of the log. */
  tenant: string;
};
export type WitnessCosignature = {
  /** Time of the cosignature, RFC 3339 in UTC. */
  cosignedAt: string;
  /** Public key of the witness, in Base64. Trust it only if received from the witness. */
  publicKey: string;
  /** Ed25519 signature, in Base64. */
  signature: string;
  /** Name of the witness's key. */
  witness: string;
};
export type Standing = "holds" | "changed" | "missing" | "unsigned";
export type KeptCheckpoint = {
  /** The checkpoint with its signature, to be kept outside of this installation. */
  checkpoint: SignedCheckpoint;
  /** Cosignatures of witnesses. */
  cosignatures: WitnessCosignature[];
  /** Suggested file name. */
  fileName: string;
  /** Result of comparing it with the current log. */
  standing: Standing;
};
export type KeptCheckpoints = {
  /** Last one first. */
  checkpoints: KeptCheckpoint[];
};
export type LogRoot = {
  checkpoint: SignedCheckpoint | null;
  /** Position up to which it covers events. */
  position: number;
  /** Root: 64 hexadecimal digits. */
  root: string;
};
export type ConsistencyFile = {
  /** Type of the file: `consistency`. */
  caudal: string;
  /** Version of the file's format: 1. */
  format: number;
  /** Earlier root. */
  from: LogRoot;
  /** Consistency proof (RFC 6962): hashes in hexadecimal. */
  proof: string[];
  /** Tenant id of the log. */
  tenant: string;
  /** Later root. */
  to: LogRoot;
};
export type Finding = {
  /** Code: a fault of the log (`missing`, `repeated`, `changed`, `backwards`, `unreadable`, `head_moved`,
    `head_changed`, `head_unsigned`), a contradiction of a checkpoint (`rewritten`, `shortened`, `root_changed`), of the stored
    Merkle tree (`tree_changed`) or of this node's earlier verification (`went_back`), an invalid checkpoint
    (`checkpoint_invalid`), a missing (`checkpoint_missing`) or an unreadable one (`checkpoint_unreachable`), a changed
    row with a valid one (`checkpoint_row_changed`), a tenant in quarantine (`quarantined`), `invariant`, `read_model`,
    or a row beside the log (`row_changed`, `row_without_mac`, `row_missing`, `row_contradicts_log`, `row_wrong_total`,
    `rows_not_compared`). */
  code: string;
  /** Description, in English. */
  detail: string;
  /** First affected position, for a fault of the log; null otherwise. */
  position: number | null;
};
export type ContinuousVerification = {
  /** Number of signed checkpoints compared with the log. */
  checkpoints: number;
  /** Time at which they were last read; null when not read yet. */
  comparedAt: string | null;
  /** Findings: a fault of the log, invalid checkpoints (`checkpoint_invalid`), changed rows of them
    (`checkpoint_row_changed`) or unreadable ones (`checkpoint_unreachable`). Empty when none. */
  findings: Finding[];
  /** Last position verified in the current walk from event 1. */
  position: number;
  /** Time at which a walk last reached the log's end; null when none has since the node started. */
  reachedEndAt: string | null;
  /** Start of the current walk, RFC 3339 in UTC. */
  startedAt: string;
};
export type AuditEvent = {
  /** Party that did it; all fields null for the system. */
  actor: HistoryActor;
  apiKey: Ref | null;
  /** Time of recording, RFC 3339 in UTC. */
  at: string;
  /** Event type, such as `RemittanceCreated`. */
  eventType: string;
  /** Version of the event type, such as `1`. */
  eventVersion: string;
  /** Hash in the chain: 64 hexadecimal digits. */
  hash: string;
  /** Position in the tenant's log, from 1. */
  position: number;
  /** Id of the changed record. */
  recordId: string;
  /** Human number or name of the record; null after erasure. */
  recordName: string | null;
  /** Kind of the changed record. */
  recordType: StreamKind;
  /** Id of the request that caused the event. */
  requestId: string;
  /** Sequence number among the record's events, from 1. */
  sequence: number;
};
export type AuditEventPage = {
  currentPage: number;
  data: AuditEvent[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type AuditEventDetails = {
  /** The record after the event. */
  after: object | null;
  /** The record before the event; null when it did not exist. */
  before: object | null;
  /** The event as in the list of events. */
  event: AuditEvent;
  /** Whether the event's hash matches its content and the preceding hash. */
  hashHolds: boolean;
  /** Current names, codes and numbers of the ids in it, by id; ids without a name are omitted. */
  names: {
    [key: string]: string;
  };
  /** Next position; null for the last. */
  nextPosition: number | null;
  /** Payload in the current version of its type, with the personal part decrypted, or without it after erasure. A card's number
    is shown by its last digits. */
  payload: object;
  /** Hash of the preceding event, or the tenant's genesis: 64 hexadecimal digits. Covered by the event's own hash. */
  previousHash: string | null;
  /** Previous position; null for the first. */
  previousPosition: number | null;
};
export type CheckpointKey = {
  /** Name of the key. */
  id: string;
  /** Public key, in Base64. */
  publicKey: string;
  /** Time of its first use, RFC 3339 in UTC. */
  since: string;
  /** Time of its retirement; null for the current key. */
  until: string | null;
};
export type CheckpointKeys = {
  /** Current key last. */
  keys: CheckpointKey[];
};
export type LateKind =
  | "amount_edited"
  | "details_edited"
  | "canceled"
  | "delivered"
  | "attempted"
  | "disputed"
  | "reversed"
  | "rates_undone";
export type LateChange = {
  /** Party that did it; all fields null for the system. */
  actor: HistoryActor;
  amount: Money | null;
  amountAfter: Money | null;
  /** Time of recording, RFC 3339 in UTC. */
  at: string;
  closure: Ref | null;
  /** Time that it is about: of the sale, the movement, the delivery, or when rates took effect. */
  concerned: string;
  currency: CurrencyCode | null;
  /** Days from the day of that time to the day of recording, in the tenant's time zone; 1 for the next day. */
  daysLate: number;
  /** What was done. */
  kind: LateKind;
  /** Position of the event in the log. */
  position: number;
  /** Id of the changed record. */
  recordId: string;
  /** Code of the remittance or number of the movement; null for a change of rates. */
  recordName: string | null;
  /** Kind of the changed record. */
  recordType: StreamKind;
};
export type LateChangePage = {
  currentPage: number;
  data: LateChange[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type HashedEvent = {
  /** Id of the record. */
  aggregateId: string;
  /** Kind of the record. */
  aggregateType: string;
  /** Event type, such as `RemittanceCreated`. */
  eventType: string;
  /** Version of the event type. */
  eventVersion: string;
  /** Hash of the event: 64 hexadecimal digits. */
  hash: string;
  /** Actor, role and request: the hashed JSON text. */
  metadata: string;
  /** Payload: the hashed JSON text, with personal data encrypted. */
  payload: string;
  /** Position in the log, from 1. */
  position: number;
  /** Time of recording, in microseconds since 1970-01-01T00:00:00Z. */
  recordedAt: number;
  /** Sequence number among the record's events, from 1. */
  sequence: number;
};
export type ProofFile = {
  /** Type of the file: `proof`. */
  caudal: string;
  /** Checkpoint with the signed root. */
  checkpoint: SignedCheckpoint;
  /** Cosignatures of witnesses. */
  cosignatures: WitnessCosignature[];
  /** The event as the log has it, personal data encrypted. */
  event: HashedEvent;
  /** Version of the file's format: 1. */
  format: number;
  /** Inclusion proof (RFC 6962) under the checkpoint's root: hashes in hexadecimal, from the leaf up. */
  inclusion: string[];
  /** Hash of the preceding event: 64 hexadecimal digits. */
  previousHash: string;
  /** Tenant id of the log. */
  tenant: string;
};
export type Place = {
  /** Hash of the event there: 64 hexadecimal digits. */
  hash: string;
  /** Position; 0 before the first event. */
  position: number;
};
export type EndedQuarantine = {
  /** Point of the event that records the decision. */
  accepted: Place;
  /** Time of the decision, RFC 3339 in UTC. */
  endedAt: string;
  /** First abandoned position; null when none. */
  lostFrom: number | null;
  /** Last abandoned position; null when none. */
  lostTo: number | null;
  /** Time of the first report, RFC 3339 in UTC. */
  noticedAt: string;
  /** The operator's reason. */
  reason: string;
};
export type LostAnswer = {
  /** `system`, or the id of the calling party. */
  actor: string;
  /** Time of sending, RFC 3339 in UTC. */
  at: string;
  /** Id of the created or changed record. */
  id: string;
  /** Human number of the record; null without one. */
  number: string | null;
  /** Position of the answered command. */
  position: number;
  /** Id of the request. */
  request: string;
};
export type Losses = {
  /** Answers sent for lost positions; at most 500. */
  answers: LostAnswer[];
  common: Place | null;
  /** Current end of the log. */
  end: Place;
  /** First lost position; null when nothing is lost. */
  lostFrom: number | null;
  /** Last lost position; null when nothing is lost. */
  lostTo: number | null;
  /** First position of a log without loss that no node had seen, where the head has no valid MAC: somebody may have added it to
    the database; null otherwise. */
  unsignedFrom: number | null;
};
export type NumbersGiven = {
  /** Of closures (`C-000001`). */
  closures: number;
  /** Of movements (`M-000001`). */
  movements: number;
  /** Of remittances (`R-000001`). */
  remittances: number;
};
export type QuarantineReport = {
  found: Place | null;
  /** Id of the report. */
  id: string;
  /** Kind of the divergence: `shortened`, `rewritten`, `broken`, `head_changed`, `head_unsigned`, `read_models`,
    `checkpoint` or `report_changed`. */
  kind: string;
  /** Last point that the node had seen. */
  known: Place;
  /** Time at which the node last saw the log grow; null when never. */
  lastSeenAt: string | null;
  /** Process id of the node. */
  node: string;
  /** Time of detection, RFC 3339 in UTC. */
  noticedAt: string;
  /** Upper bounds of the numbers issued, as known to the node. */
  numbers: NumbersGiven;
};
export type QuarantineState = {
  /** Whether the tenant is quarantined: nothing can be written. */
  active: boolean;
  /** Ended quarantines, newest first. */
  ended: EndedQuarantine[];
  losses: Losses | null;
  /** Current reports of the nodes, newest first. */
  reports: QuarantineReport[];
  /** Start of the quarantine; null when not active. */
  since: string | null;
};
export type ReadingKind =
  | "customer"
  | "remittance"
  | "user"
  | "log"
  | "dossier"
  | "import"
  | "file"
  | "page"
  | "viewing";
export type PersonalRead = {
  /** Time, RFC 3339 in UTC. The same record read again by the same session within ten minutes is not listed again. */
  at: string;
  /** Path of the call. */
  call: string;
  /** Format of a file; null otherwise. */
  format: string | null;
  /** UUID. */
  id: string;
  kind: ReadingKind;
  /** Party that read. */
  reader: Ref;
  record: Ref | null;
  seenAs: Ref | null;
};
export type PersonalReadPage = {
  currentPage: number;
  data: PersonalRead[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type FieldChange = {
  /** Value after; null when absent. */
  after: object | null;
  /** Value before; null when absent. */
  before: object | null;
  /** Path in the record, separated by dots. */
  field: string;
};
export type TimelineStep = {
  /** Changed fields. */
  changes: FieldChange[];
  /** The event as in the list of events. */
  event: AuditEvent;
};
export type Timeline = {
  /** Number of events before the first of these steps. */
  earlier: number;
  /** Current names, codes and numbers of the ids in it, by id; ids without a name are omitted. */
  names: {
    [key: string]: string;
  };
  /** Id of the record. */
  recordId: string;
  /** Kind of the record. */
  recordType: StreamKind;
  /** The record at the requested time; null when it did not exist. */
  state: object | null;
  /** Events until that time, oldest first; at most the last 1,000. */
  steps: TimelineStep[];
};
export type Outcome = "whole" | "wrong" | "failed";
export type Phase = "chain" | "read_models";
export type VerificationRun = {
  /** Id of the party that requested it. */
  askedBy: string;
  /** Number of checkpoints compared, from the database and all destinations; null before that, and for verifications
    of earlier versions. */
  checkpoints: number | null;
  /** Findings; empty when there are none. */
  findings: Finding[];
  /** End, RFC 3339 in UTC; null while running. */
  finishedAt: string | null;
  /** Hash of the last event, once the chain was found intact: 64 hexadecimal digits. */
  hash: string | null;
  /** Final position of this phase. */
  head: number;
  /** UUID. */
  id: string;
  outcome: Outcome | null;
  /** Current or last phase. */
  phase: Phase;
  /** Position reached in this phase. */
  position: number;
  /** Rate so far over both phases, in events per second. */
  rate: number;
  /** Estimated remaining seconds of this phase; null when unknown. */
  secondsLeft: number | null;
  /** Start, RFC 3339 in UTC. */
  startedAt: string;
};
export type OfficeArea =
  | "sales"
  | "customers"
  | "payments"
  | "parties"
  | "rates"
  | "accounting"
  | "reports"
  | "audit"
  | "office"
  | "integrations"
  | "settings"
  | "compliance";
export type OfficeProfile = {
  /** End of the caller's access; null for no end. */
  accessExpiresAt: string | null;
  /** Permission set: the name of a template, or the id of one of the tenant's sets; null for everything. */
  permissionSet: string | null;
  /** Areas that the caller reads. */
  reads: OfficeArea[];
  /** Areas that the caller writes. */
  writes: OfficeArea[];
};
export type Profile = {
  /** Agency of an agent; an agency's own id. */
  agencyId: string | null;
  /** Name of the caller's agency; null without one. */
  agencyName: string | null;
  agentType: AgentType | null;
  /** E-mail address of its login; unique in the tenant. */
  email: string;
  /** UUID. */
  id: string;
  /** Name of the party. */
  name: string;
  office: OfficeProfile | null;
  /** Terms with balances, or cash; empty for a manager. */
  paymentGroups: ProfilePaymentGroup[];
  /** URL path of the profile picture; null when there is none. */
  profilePicture: string | null;
  /** Telephone in E.164 that tickets of the caller's sales show: the agency's, or that of an agent without one. Null
    where none is known, and for roles that don't sell under a name of their own. */
  sellerPhone: string | null;
  /** IANA time zone of the tenant, such as `America/Havana`. */
  timeZone: string;
  /** Role of the party. */
  userType: UserType;
};
export type AccessToken = {
  accessToken: string;
  /** Validity in seconds. */
  expiresIn: number;
  /** Whether the account needs a second factor and has none: it can only enrol one. */
  mustEnrolSecondFactor: boolean;
};
export type Login = {
  /** Page of the provider that ends its session too; after single sign-on alone. */
  logoutUrl: string | null;
  profile: Profile;
  token: AccessToken;
};
export type LoginRequest = {
  /** Six digits of the authenticator app, or a recovery code; for an account with a second factor. Without it such a
    login is answered 401 `second_factor_required`. A passkey logs in by `finishPasskeyLogin` instead. */
  code?: string | null;
  email: string;
  password: string;
};
export type PasswordKind = "composed" | "long";
export type PasswordRules = {
  /** Greatest number of characters. */
  maxLength: number;
  /** Least number of characters. */
  minLength: number;
  policy: PasswordKind;
};
export type LoginOptions = {
  /** Whether passkeys log in on this address. */
  passkeys: boolean;
  /** Rules of new passwords. */
  passwords: PasswordRules;
  /** Host of the provider of single sign-on; null where there is none. */
  signOn: string | null;
};
export type PasskeyCeremony = {
  /** To be sent with the answer; null for a login, whose browser has it as a cookie. */
  ceremony: string | null;
  /** What the browser needs, as JSON of WebAuthn: for `PublicKeyCredential.parseCreationOptionsFromJSON` of a new passkey, else
    for `parseRequestOptionsFromJSON`. */
  options: object;
};
export type PasskeyAnswerInput = {
  /** `response.authenticatorData`. */
  authenticatorData: string;
  /** `ceremony` of the begin; absent for a login, whose browser has it as a cookie. */
  ceremony?: string | null;
  /** `response.clientDataJSON`. */
  clientData: string;
  /** `id` of the credential. */
  credential: string;
  /** `response.signature`. */
  signature: string;
  /** `response.userHandle`, where the authenticator tells it. */
  userHandle?: string | null;
};
export type SignOnBegun = {
  /** Address of the provider's page. */
  url: string;
};
export type SignOnFinishInput = {
  /** `code` of the address. */
  code: string;
  /** Code of the account's second factor, where it has one. */
  secondFactor?: string | null;
  /** `state` of the address. */
  state: string;
};
export type CardBrand =
  "bandec_mlc" | "bm_mlc" | "bpa_mlc" | "bandec_cup" | "bm_cup" | "bpa_cup";
export type CardInput = {
  /** Brand (bank and currency), which must match the number's first six digits. */
  brand: CardBrand;
  /** Number: sixteen digits, blanks and hyphens allowed. */
  cardNumber: string;
  /** Accepted for compatibility; every card is stored as MLC. */
  currency?: string;
  /** Accepted from clients that send whole recipients back; the card is of the recipient in whose body it is. */
  customerId?: string;
  /** Id of an existing card. */
  id?: string;
  /** Accepted for compatibility; no card is the default. */
  isDefault?: boolean;
};
export type CustomerType = 0 | 1;
export type IdentificationType = 0 | 1 | 2 | 3 | 4 | 5 | 6;
export type CustomerInput = {
  /** Street and number, at most 300 characters. */
  addressLine?: string | null;
  /** Owner of a sender: an agency, or an agent without agency. */
  agencyId?: string | null;
  /** Name by which the customer is commonly known; a sender's is derived from the name. */
  alias?: string | null;
  /** Surname of the authorised representative. */
  alternativeLastName?: string | null;
  /** First name of the authorised representative; a sender's is derived from the name. */
  alternativeName?: string | null;
  /** Document number of the authorised representative. */
  alternativePersonalIdentificationNumber?: string | null;
  /** Telephone of the authorised representative in E.164. */
  alternativePhoneNumber?: string | null;
  /** Cards of a recipient; a card with an id exists already and is ignored. */
  card?: CardInput[];
  /** Country of a sender as an ISO 3166-1 alpha-2 code, such as `US`. */
  country?: string | null;
  /** Kind: sender 0, recipient 1. */
  customerType: CustomerType;
  /** E-mail address of the customer. */
  email?: string | null;
  /** Whether new remittances may name the customer; a new one defaults to true. */
  isActive?: boolean;
  /** First surname, at most 80 characters. */
  lastName?: string | null;
  /** City of a sender, as text. */
  municipality?: string | null;
  /** Municipality of a recipient, from Cuba's catalogue. */
  municipalityId?: string | null;
  /** First name, at most 80 characters. */
  name: string;
  /** Country that issued the document as an ISO 3166-1 alpha-2 code, such as `ES`. Two passports with one number from two
    countries are two people. */
  personalIdentificationCountry?: string | null;
  /** Expiry date of the document, `YYYY-MM-DD`. */
  personalIdentificationExpirationDate?: string | null;
  /** Issue date of the document, `YYYY-MM-DD`. */
  personalIdentificationIssueDate?: string | null;
  /** Number of the identity document. */
  personalIdentificationNumber?: string | null;
  personalIdentificationType?: IdentificationType | null;
  /** Telephone number in E.164, such as `+5352345678`. */
  phoneNumber?: string | null;
  /** State or province of a sender, as text. */
  province?: string | null;
  /** Province of a recipient, from Cuba's catalogue. */
  provinceId?: string | null;
  /** Neighbourhood (reparto), of a recipient. */
  repart?: string | null;
  /** Second surname, as usual in Spanish names. */
  secondSurname?: string | null;
  /** Sender of a recipient. */
  senderId?: string | null;
  /** For a change: previous values of the sent fields, as the client read them. With `was`, absent fields stay
    unchanged, and a field that someone else has changed since is refused: 409 `changed_since_read`. Without it, the
    whole record is replaced. */
  was?: object | null;
  /** Postal code, as text. */
  zipCode?: string | null;
};
export type Card = {
  /** Brand as chosen. */
  brand: CardBrand;
  /** Number, masked except for the party that pays to it; null after erasure. */
  cardNumber: string | null;
  /** Always `MLC`, whatever the brand. */
  currency: CurrencyCode;
  /** Id of the recipient. */
  customerId: string;
  /** UUID. */
  id: string;
  /** Always false: no card is preferred. */
  isDefault: boolean;
};
export type AddCardInput = {
  /** Brand (bank and currency), which must match the number's first six digits. */
  brand: CardBrand;
  /** Number: sixteen digits, blanks and hyphens allowed. */
  cardNumber: string;
  /** Id of the recipient. */
  customerId: string;
};
export type CustomerAddress = {
  /** City or municipality. */
  cityOrMunicipality: string | null;
  /** E-mail address of the customer. */
  email: string | null;
  /** Street and number. */
  line1: string | null;
  /** State or province, as text. */
  stateOrProvince: string | null;
  /** Postal code, as text. */
  zipcode: string | null;
};
export type IdentityDocument = {
  /** Number of the document. */
  documentNumber: string | null;
  documentTypeOption: IdentificationType | null;
};
export type Customer = {
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RowAction[];
  /** The same address as in the flat fields, as an object. */
  address: CustomerAddress;
  /** Street and number. */
  addressLine: string | null;
  /** Owning agency; null for a customer of an agent without agency. */
  agencyId: string | null;
  /** Name by which the customer is commonly known. */
  alias: string | null;
  /** Surname of the authorised representative. */
  alternativeLastName: string | null;
  /** First name of the recipient's authorised representative, who may receive a delivery. */
  alternativeName: string | null;
  /** Document number of the authorised representative. */
  alternativePersonalIdentificationNumber: string | null;
  /** Telephone of the authorised representative in E.164. */
  alternativePhoneNumber: string | null;
  /** Cards of a recipient, masked. */
  card: Card[];
  /** Country of an issuer as an ISO 3166-1 alpha-2 code, such as `US`. */
  country: string | null;
  /** Time of creation, RFC 3339 in UTC. */
  created: string;
  /** Sender or recipient. */
  customerType: CustomerType;
  /** E-mail address of the customer. */
  email: string | null;
  /** `name`, `lastName` and `secondSurname` joined by blanks. */
  fullName: string | null;
  /** UUID. */
  id: string;
  /** The same identity document as in the flat fields, as an object. */
  identityDocument: IdentityDocument;
  /** Whether new remittances may name the customer. */
  isActive: boolean;
  /** First surname. */
  lastName: string | null;
  /** Free text for an issuer; name of `municipalityId` for a recipient. */
  municipality: string | null;
  /** Municipality of a recipient, from Cuba's catalogue. */
  municipalityId: string | null;
  /** First name; null after erasure, like all personal fields. */
  name: string | null;
  /** Country that issued the document as an ISO 3166-1 alpha-2 code; null where its type implies it, and where nobody said it. */
  personalIdentificationCountry: string | null;
  /** Expiry date of the document, `YYYY-MM-DD`. */
  personalIdentificationExpirationDate: string | null;
  /** Issue date of the document, `YYYY-MM-DD`. */
  personalIdentificationIssueDate: string | null;
  /** Number of the identity document, normalised. */
  personalIdentificationNumber: string | null;
  personalIdentificationType: IdentificationType | null;
  /** Telephone number in E.164, such as `+5352345678`. */
  phoneNumber: string | null;
  /** Free text for an issuer; name of `provinceId` for a recipient. */
  province: string | null;
  /** Province of a recipient, from Cuba's catalogue. */
  provinceId: string | null;
  /** Neighbourhood (reparto), of a recipient. */
  repart: string | null;
  /** Second surname, as usual in Spanish names. */
  secondSurname: string | null;
  /** Issuer (sender) of a recipient; null for an issuer. */
  senderId: string | null;
  /** Names of fields whose stored telephone or document number today's validation rejects (recorded before these
    rules, or imported). Changing such a field requires a valid value. */
  toCorrect: string[];
  /** Number of recipients of an issuer; 0 for a recipient. */
  totalReceivers: number;
  /** Time of the last change, RFC 3339 in UTC. */
  updated: string;
  /** Postal code, as text. */
  zipCode: string | null;
};
export type CustomerPage = {
  currentPage: number;
  data: Customer[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type CardPage = {
  currentPage: number;
  data: Card[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type StoredFile = {
  /** Id: SHA-256 of the content, in hexadecimal. */
  id: string;
  /** Media type, such as `image/jpeg`. */
  mediaType: string;
  /** Size in bytes. */
  size: number;
  /** URL path of the file. */
  url: string;
};
export type ReviewFileInput = {
  /** The file. */
  file: Blob;
};
export type ReviewFile = {
  /** Id: SHA-256 of the content, in hexadecimal. */
  id: string;
  /** URL path of the file. */
  url: string;
};
export type DocumentPictures = {
  /** The files, in the order in which they were recorded; empty where no picture shows the present document. */
  files: ReviewFile[];
};
export type PicturedDocument = {
  /** Ids of the recorded pictures, in their order. */
  files?: string[];
  /** Country of the document, as the customer's row has it. */
  personalIdentificationCountry: string | null;
  /** Number of the document, as the customer's row has it. */
  personalIdentificationNumber: string | null;
  personalIdentificationType: IdentificationType | null;
};
export type DocumentPicturesInput = {
  /** Ids of all pictures, in their order: files that were uploaded for this customer's document. Empty for none. */
  files: string[];
  was?: PicturedDocument | null;
};
export type DossierRecord = {
  /** Id of the customer. */
  id: string;
  /** Position of the event in the log, by which the dossier is read. */
  position: number;
};
export type DossierApproval = {
  /** Who approved it. */
  by: Ref;
  /** Id of the proposal. */
  proposal: string;
};
export type DossierCard = {
  approval: DossierApproval | null;
  /** When it was added. */
  at: string;
  /** Bank and currency. */
  brand: CardBrand;
  /** Who added it. */
  by: HistoryActor;
  /** Id of the card. */
  id: string;
  /** Number, masked except for the last four digits; null after erasure. */
  number: string | null;
  /** Position of the event in the log; absent in exports of the first content. */
  position: number | null;
};
export type DossierAct = {
  approval: DossierApproval | null;
  /** When it was recorded. */
  at: string;
  /** Who did it; of what waited for an approval, who proposed it. All fields null for the system. */
  by: HistoryActor;
  /** Position of the event in the log. */
  position: number;
};
export type DossierFileKind =
  "identification" | "signature" | "review" | "document";
export type DossierFile = {
  /** SHA-256 of the content, by which the file is stored: 64 hexadecimal digits. */
  hash: string;
  /** Content. */
  kind: DossierFileKind;
  /** Position of the event that names it; of a picture of a document, of the first one. */
  position: number;
};
export type DossierExport = {
  /** When it was exported. */
  at: string;
  /** Who exported it. */
  by: HistoryActor;
  /** Position of the event in the log. */
  position: number;
};
export type DossierEntry = {
  /** Identifier within the list. */
  entry: string;
  /** Name of the list. */
  list: string;
  /** The listed name that was most similar; null where the decision alone is known. */
  name: string | null;
  /** Position of the comparison that found it, or of the decision that they are the same person. */
  position: number;
  /** Likeness in percent; null where the decision alone is known. */
  score: number | null;
  /** Version of the list: the start of the SHA-256 of its entries; null where the log has none. */
  version: string | null;
};
export type DossierLikeness = {
  /** The customer: the one of the dossier, or the other one of the remittance. */
  customer: Ref;
  /** Entries of lists that kept the customer in review then, confirmed ones first; empty after erasure. Null for the other
    customer of the remittance, in whose dossier they are. */
  entries: DossierEntry[] | null;
};
export type PublicLimitNeed = "document" | "purpose" | "source_of_funds";
export type PublicLimitOutcome = "needs" | "hold" | "refuse";
export type PublicLimitSide = "sender" | "recipient";
export type PublicLimitWindow = "sale" | "day" | "days7" | "days30" | "days365";
export type DossierLimitRule = {
  amount: Money | null;
  /** Largest number of remittances; null for any. */
  count: number | null;
  /** Id of the rule. */
  id: string;
  /** Requirements for such a sale. */
  needs: PublicLimitNeed[];
  /** Outcome for a sale beyond the limit. */
  outcome: PublicLimitOutcome;
  /** Payment groups whose sales count; empty for all. */
  paymentGroups: Ref[];
  /** Who set the rule as it was then, and when. */
  set: DossierAct;
  /** The customer whose sales it adds up. */
  side: PublicLimitSide;
  /** Window of the sum: one sale, or a number of days. */
  window: PublicLimitWindow;
};
export type DossierHoldOutcome = "open" | "released" | "canceled" | "delivered";
export type PublicHoldReason = "limit_rule" | "screening" | "manual";
export type DossierReview = {
  approval: DossierApproval | null;
  /** When it was recorded. */
  at: string;
  /** Who reviewed it; of a review that waited for an approval, who proposed it. */
  by: HistoryActor;
  /** Hashes of the attached files. */
  files: string[];
  /** Whether it was released; otherwise it was kept in review. */
  isReleased: boolean;
  /** Position of the event in the log. */
  position: number;
  /** Reason given; null after erasure. */
  reason: string | null;
};
export type DossierHold = {
  /** Who put it in review, or whose command met a rule or a match; all fields of the actor null for the system. */
  held: DossierAct;
  likeness: DossierLikeness | null;
  limitRule: DossierLimitRule | null;
  /** Note of who put it in review; null for other holds, and after erasure. */
  note: string | null;
  /** Number of the hold within the remittance, from 1. */
  number: number;
  /** How it ended. */
  outcome: DossierHoldOutcome;
  /** Why it was put in review. */
  reason: PublicHoldReason;
  /** The seller's own reference of the remittance. */
  reference: string | null;
  /** The remittance, by its number. */
  remittance: Ref;
  /** Reviews, oldest first. */
  reviews: DossierReview[];
};
export type DossierDocument = {
  /** ISO 3166-1 country of issue, where it is known. */
  country: string | null;
  kind: IdentificationType | null;
  /** Number as written in the document. */
  number: string;
};
export type DossierIdentification = {
  /** When it was recorded. */
  at: string;
  /** Whose command it followed from; all fields null for the system. */
  by: HistoryActor;
  document: DossierDocument | null;
  /** Id of the person, for whom limit rules add up. */
  person: string;
  /** Position of the event in the log. */
  position: number;
};
export type DossierListedPerson = {
  /** Days, years or ranges of days. */
  born: string[];
  /** Countries that the list names. */
  countries: string[];
  /** Documents, with type and country as far as the list says them. */
  documents: string[];
  /** Name and aliases. */
  names: string[];
  /** Programs of the list. */
  programs: string[];
};
export type PublicPairOutcome = "different" | "same";
export type DossierPairDecision = {
  approval: DossierApproval | null;
  /** When it was decided. */
  at: string;
  /** Who decided it; of a decision that waited for an approval, who proposed it. */
  by: HistoryActor;
  /** Identifier within the list; null after erasure. */
  entry: string | null;
  /** Whether the customer was in review afterwards. */
  inReview: boolean;
  /** Name of the list; null after erasure. */
  list: string | null;
  listed: DossierListedPerson | null;
  /** Whether they are the same person. */
  outcome: PublicPairOutcome;
  /** Position of the event in the log. */
  position: number;
  /** Reason given; null after erasure. */
  reason: string | null;
};
export type DossierPictureChange = {
  /** When it was recorded. */
  at: string;
  /** Who recorded it. */
  by: HistoryActor;
  /** Hashes of all pictures from then on; empty where they were taken away, or another document was recorded. */
  files: string[];
  /** Position of the event in the log. */
  position: number;
};
export type DossierCommandName =
  | "releaseHold"
  | "keepHold"
  | "clearPair"
  | "addCard"
  | "cancel"
  | "editAmount"
  | "other";
export type DossierCommand = {
  amount: Money | null;
  brand: CardBrand | null;
  /** Number of the card, masked except for the last four digits. */
  card: string | null;
  /** Identifier within the list. */
  entry: string | null;
  /** Hashes of the attached files. */
  files?: string[];
  /** Number of the hold within the remittance. */
  hold: number | null;
  /** Name of the list. */
  list: string | null;
  /** The proposed command. */
  name: DossierCommandName;
  /** The maker's reason. */
  reason: string | null;
};
export type DossierProposalOutcome =
  "waiting" | "expired" | "approved" | "rejected" | "withdrawn";
export type DossierProposal = {
  amount: Money | null;
  /** When it was proposed. */
  at: string;
  /** Who proposed it. */
  by: HistoryActor;
  command: DossierCommand | null;
  decided: DossierAct | null;
  /** From when on it could not be approved. */
  expires: string;
  /** Id of the proposal. */
  id: string;
  /** Kind of commands that the approval rule covers. */
  kind: PublicApprovalKind;
  /** Outcome of the proposal. */
  outcome: DossierProposalOutcome;
  /** Position of the event in the log. */
  position: number;
  /** Reason of the rejection; null otherwise, and after erasure. */
  rejection: string | null;
  remittance: Ref | null;
  /** Id of the rule. */
  rule: string;
};
export type DeliveryMethod = "home" | "card";
export type AttemptReason =
  | "nobodyHome"
  | "noAnswer"
  | "wrongAddress"
  | "noDocument"
  | "postponed"
  | "refused"
  | "unreachable";
export type RemittanceChange =
  | "created"
  | "detailsEdited"
  | "amountEdited"
  | "assigned"
  | "error"
  | "canceled"
  | "completed"
  | "attempted"
  | "disputed"
  | "disputeSettled"
  | "held"
  | "holdReleased"
  | "holdKept"
  | "deliveredWhileHeld"
  | "holdBreachSettled"
  | "declared";
export type DossierField =
  | "isActive"
  | "province"
  | "municipality"
  | "name"
  | "lastName"
  | "secondSurname"
  | "alias"
  | "documentNumber"
  | "documentType"
  | "documentCountry"
  | "documentIssued"
  | "documentExpires"
  | "phoneNumber"
  | "email"
  | "addressLine"
  | "repart"
  | "city"
  | "stateOrProvince"
  | "zipCode"
  | "country"
  | "representativeName"
  | "representativeLastName"
  | "representativeDocumentNumber"
  | "representativePhoneNumber"
  | "recipient"
  | "paymentGroup"
  | "amount"
  | "payout"
  | "currency"
  | "exchangeRate"
  | "totalFee"
  | "totalToPay"
  | "reference"
  | "deliveryMethod"
  | "card"
  | "address"
  | "notes"
  | "dealer"
  | "deliveryMan";
export type DossierEdit = {
  /** Value after it. */
  after: string | null;
  /** Value before the edit. */
  before: string | null;
  /** Field that the edit changed. */
  field: DossierField;
};
export type RemittanceStatus = 0 | 1 | 2 | 3 | 4;
export type DossierStep = {
  /** Amount sent after it, in USD. */
  amount: Money;
  approval: DossierApproval | null;
  /** When it was recorded. */
  at: string;
  attempt: AttemptReason | null;
  /** Who did it; of what waited for an approval, who proposed it. */
  by: HistoryActor;
  /** Action on the remittance. */
  change: RemittanceChange;
  dealer: Ref | null;
  deliveryMan: Ref | null;
  /** Changed fields; absent without any, and for the sale. */
  edits?: DossierEdit[];
  /** Time of an attempt or a delivery without a network; null when recorded at once. */
  happened: string | null;
  hold: PublicHoldReason | null;
  /** Number within the remittance of the hold that began, was released or was kept; absent for other changes. */
  holdNumber: number | null;
  /** Amount paid out after it. */
  payout: Money;
  /** Position of the event in the log. */
  position: number;
  /** Reason of an error, a cancellation, a settlement or a review; null without one, and after erasure. */
  reason: string | null;
  /** Recipient after it. */
  recipient: Ref;
  /** Code of the refusal of a disputed delivery; absent for other changes. */
  refused: string | null;
  reportedBy: Ref | null;
  /** State after it. */
  status: RemittanceStatus;
};
export type DossierRemittance = {
  /** Delivery address, when another than the recipient's. */
  address: string | null;
  agency: Ref | null;
  agent: Ref | null;
  /** Amount sent, in USD. */
  amount: Money;
  /** Number of this card, masked except for the last four digits; absent without one, after erasure, and in exports of the
    first content. */
  card: string | null;
  /** Id of the card that is paid to. */
  cardId: string | null;
  /** Human number. */
  code: string;
  /** Currency of the payout. */
  currency: CurrencyCode;
  dealer: Ref | null;
  /** When it was delivered; null before. */
  delivered: string | null;
  deliveredBy: Ref | null;
  deliveryMan: Ref | null;
  /** How it is paid out. */
  deliveryMethod: DeliveryMethod;
  /** Units of the currency per USD. */
  exchangeRate: Decimal;
  /** Files that prove the delivery, those of disputed deliveries, and those of reviews of its holds. */
  files: DossierFile[];
  /** All events, oldest first. */
  history: DossierStep[];
  /** Id of the remittance. */
  id: string;
  /** Municipality of the delivery. */
  municipality: string | null;
  /** The seller's notes. */
  notes: string | null;
  /** Payment group. */
  paymentGroup: Ref;
  /** Amount paid out. */
  payout: Money;
  /** Province of the delivery. */
  province: string | null;
  /** Who is paid. */
  recipient: Ref;
  /** The seller's own reference. */
  reference: string | null;
  /** The party whose balance it draws on. */
  seller: Ref;
  /** Who sent it. */
  sender: Ref;
  /** When it was sold. */
  sold: string;
  /** State. */
  status: RemittanceStatus;
  /** Whether the recipient's authorised representative took it. */
  toRepresentative: boolean;
  /** Fees, in USD. */
  totalFee: Money;
  /** Amount and fees, in USD. */
  totalToPay: Money;
};
export type DossierCandidate = {
  /** Identifier within the list. */
  entry: string;
  /** Name of the list. */
  list: string;
  /** The listed name that is most similar. */
  name: string;
  /** Likeness in percent. */
  score: number;
};
export type DossierList = {
  /** Number of entries of a list of the business itself; null for a list of the operator. */
  entries: number | null;
  loaded: DossierAct | null;
  /** Name of the list. */
  name: string;
  /** Least likeness of a candidate in percent; null where the log has none. */
  threshold: number | null;
  /** Version: the start of the SHA-256 of its entries, in hexadecimal. */
  version: string;
};
export type DossierScreening = {
  /** When it was recorded. */
  at: string;
  /** Listed persons whom the customer is like and of whom nothing was decided; null after erasure. */
  candidates: DossierCandidate[] | null;
  /** Whether the customer was in review afterwards. */
  inReview: boolean;
  /** Version of each list that was searched: the start of the SHA-256 of its entries, in hexadecimal. */
  lists: {
    [key: string]: string;
  };
  /** Position of the event in the log. */
  position: number;
  /** The lists with their thresholds; absent in exports of the first content. */
  searched?: DossierList[];
};
export type DossierCustomer = {
  /** The customer record; a person may have several. */
  customer: Ref;
  /** Sender or recipient. */
  customerType: CustomerType;
  /** The agency or agent whose customer it is. */
  owner: Ref;
};
export type CustomerSide = "sender" | "recipient";
export type DossierMonth = {
  /** Sum of their amounts sent, in USD. */
  amount: Money;
  /** Month of the sale in the tenant's time zone, `YYYY-MM`. */
  month: string;
  /** Number of remittances that are not canceled. */
  remittances: number;
  /** Sent, or received. */
  side: CustomerSide;
};
export type DossierWindow = {
  /** Largest sum of amounts sent within one window, in USD. */
  amount: Money;
  /** Length of the window in days: 1, 7, 30 or 365. */
  days: number;
  /** Most remittances within one window. */
  remittances: number;
  /** Sent, or received. */
  side: CustomerSide;
};
export type DossierSums = {
  /** The customer of the dossier first, then the others who had the same document at the export. */
  customers: DossierCustomer[];
  /** Sums by month of the sale, oldest first; months without a remittance are left out. */
  months: DossierMonth[];
  /** Largest sums within consecutive days. */
  windows: DossierWindow[];
};
export type DossierPerson = {
  /** Street and number. */
  addressLine: string | null;
  /** Name by which the customer is known. */
  alias: string | null;
  /** City of a sender. */
  city: string | null;
  /** ISO 3166-1 country of a sender. */
  country: string | null;
  /** ISO 3166-1 country that issued the document; absent where its type implies it, and where nobody said it. */
  documentCountry: string | null;
  /** When the document expires, `YYYY-MM-DD`. */
  documentExpires: string | null;
  /** When the document was issued, `YYYY-MM-DD`. */
  documentIssued: string | null;
  /** Number of the identity document. */
  documentNumber: string | null;
  documentType: IdentificationType | null;
  /** E-mail address. */
  email: string | null;
  /** First surname. */
  lastName: string | null;
  /** First name. */
  name: string;
  /** Telephone. */
  phoneNumber: string | null;
  /** Neighbourhood. */
  repart: string | null;
  /** Identity document of the authorised representative. */
  representativeDocumentNumber: string | null;
  /** Surname of the authorised representative. */
  representativeLastName: string | null;
  /** First name of the authorised representative. */
  representativeName: string | null;
  /** Telephone of the authorised representative. */
  representativePhoneNumber: string | null;
  /** Second surname. */
  secondSurname: string | null;
  /** State or province of a sender. */
  stateOrProvince: string | null;
  /** Postal code. */
  zipCode: string | null;
};
export type DossierVersion = {
  approval: DossierApproval | null;
  /** When it was recorded. */
  at: string;
  /** Who recorded it. */
  by: HistoryActor;
  /** Fields that differ from the previous version; absent without any, and for the first version. */
  edits?: DossierEdit[];
  /** Whether new remittances could name the customer. */
  isActive: boolean;
  /** Municipality of a recipient. */
  municipality: string | null;
  person: DossierPerson | null;
  /** Position of the event in the log. */
  position: number;
  /** Province of a recipient. */
  province: string | null;
};
export type Dossier = {
  /** Cards of a recipient, oldest first. */
  cards: DossierCard[];
  /** Id of the customer. */
  customerId: string;
  /** Sender or recipient. */
  customerType: CustomerType;
  /** When the customer was deleted; null when not. */
  deleted: string | null;
  deletion: DossierAct | null;
  /** Pictures of the customer's documents, also of earlier ones, oldest first; absent without any. */
  documentPictures?: DossierFile[];
  /** Time of that event. */
  exported: string;
  /** Who exported it. */
  exportedBy: HistoryActor;
  /** Earlier exports of the dossier, oldest first. */
  exports: DossierExport[];
  /** Hash of that event, which covers the whole log before it: 64 hexadecimal digits. */
  hash: string;
  /** Holds of these remittances with what caused them, oldest first; absent without any. */
  holds?: DossierHold[];
  /** When the customer was found to be one person with others who have the same document, oldest first; absent without. */
  identifications?: DossierIdentification[];
  /** The agency or agent whose customer it is. */
  owner: Ref;
  /** Reviewers' decisions on pairs of the customer and a listed person, oldest first; absent without any. */
  pairDecisions?: DossierPairDecision[];
  /** Who recorded these pictures or took them away, and when, oldest first; absent without any. */
  pictureChanges?: DossierPictureChange[];
  /** Position in the log of the event that records the export: the dossier has everything up to it. */
  position: number;
  /** Commands about the customer or these remittances that waited for an approval, oldest first; absent without any. */
  proposals?: DossierProposal[];
  /** Recipients of a sender. */
  recipients: Ref[];
  /** Remittances sent or received, oldest first; also those that were to be paid to the customer before an edit. */
  remittances: DossierRemittance[];
  /** Files that reviewers attached to decisions about the customer, oldest first; absent without any. */
  reviewFiles?: DossierFile[];
  /** Comparisons of the customer with lists that found somebody or that ended a review, oldest first; absent without any. */
  screenings?: DossierScreening[];
  sender: Ref | null;
  sums: DossierSums | null;
  /** Tenant id. */
  tenant: string;
  /** All versions of the identity, oldest first; the last one holds. */
  versions: DossierVersion[];
};
export type SignedDossier = {
  /** Type of the file: `dossier`. */
  caudal: string;
  /** SHA-256 of the canonical bytes: 64 hexadecimal digits. */
  digest: string;
  /** The dossier. Its canonical bytes are its JSON with sorted names and no spaces. */
  dossier: Dossier;
  /** Version of the file's format: 1. */
  format: number;
  /** Name of the signing key, one of those that sign checkpoints. */
  key: string;
  /** Public key, in Base64. Trust it only if it is published elsewhere. */
  publicKey: string;
  /** Ed25519 signature of the digest, in Base64. */
  signature: string;
};
export type RemittanceTotal = {
  /** Amount paid out, in `currency`. */
  amount: Money;
  /** Amount sent, in USD. */
  amountUsd: Money;
  change: Decimal | null;
  /** Payout currency, such as `CUP`. */
  currency: CurrencyCode;
  /** Amount paid out in the previous period. */
  previousAmount: Money;
  /** Number of remittances in the previous period. */
  previousTotalRemittances: number;
  /** Number of remittances. */
  totalRemittances: number;
};
export type RemittanceTotals = {
  change: Decimal | null;
  /** Number of remittances in the previous period. */
  previousTotalRemittances: number;
  /** One element per payout currency. */
  report: RemittanceTotal[];
  /** Number of remittances in all currencies. */
  totalRemittances: number;
};
export type RangeSelector = 0 | 1 | 2 | 3;
export type ClosurePreview = {
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RowAction[];
  /** Amount that an agent's agency would bill, in USD. */
  agencyFeeAccrued: Money;
  /** Billed by closures within the period, in USD: opening + opened + billed − paid = outstanding. */
  debitsBilled: Money;
  /** Outstanding debits at the start, in USD, including those billed by earlier closures. */
  debitsOpening: Money;
  /** Figures of the period. */
  figures: ClosureFigures;
  /** Start of the period: the last closure's cut, or the first day requested; null for the beginning. */
  from: string | null;
  /** The seller. */
  party: Ref;
  /** End of the period, exclusive. */
  to: string;
};
export type ClosurePreviewPage = {
  currentPage: number;
  data: ClosurePreview[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type AgencyReportInput = {
  /** Restricts to this agency; all in the caller's scope by default. */
  agencyId?: string | null;
  /** Last day, `YYYYMMDD`; absent for until now. */
  finalDate?: string | null;
  /** First day, `YYYYMMDD`, in the tenant's time zone; absent for the time since the last closure. */
  initDate?: string | null;
};
export type SellerRemittances = {
  /** Amount sent, in USD. */
  amount: Money;
  /** Current balances, one element per currency. */
  balance: MovementAmount[];
  /** Id of the seller. */
  id: string;
  /** Name; empty after erasure. */
  name: string;
  /** URL path of the profile picture; null when there is none. */
  pictureUrl: string | null;
  /** Number of remittances. */
  totalRemittance: number;
};
export type SellerRemittancesPage = {
  currentPage: number;
  data: SellerRemittances[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type AgentReportInput = {
  /** Restricts to the agents of this agency. */
  agencyId?: string | null;
  /** Restricts to this agent; all in the caller's scope by default. */
  agentId?: string | null;
  /** Last day, `YYYYMMDD`; absent for until now. */
  finalDate?: string | null;
  /** First day, `YYYYMMDD`, in the tenant's time zone; absent for the time since the last closure. */
  initDate?: string | null;
};
export type BackupNeed =
  "neverMade" | "old" | "neverRehearsed" | "rehearsedLongAgo";
export type BackupAttention = {
  /** The most urgent problem. */
  need: BackupNeed;
  /** Time of the last good backup, or of the last rehearsal, according to `need`; absent where there was none. RFC 3339 in
    UTC. */
  since: string | null;
};
export type AttentionCounts = {
  /** Unsettled deliveries of remittances that were in review. */
  deliveredWhileHeld: number;
  /** Unsettled disputed deliveries. */
  deliveryDisputed: number;
  /** Low balances. */
  lowBalance: number;
  /** Debits that are not paid in full. */
  openDebit: number;
  /** Remittances in error. */
  remittanceError: number;
  /** Remittances in shipping for more than three days. */
  shippingTooLong: number;
};
export type AttentionKind =
  | "deliveryDisputed"
  | "deliveredWhileHeld"
  | "remittanceError"
  | "shippingTooLong"
  | "lowBalance"
  | "openDebit";
export type AttentionItem = {
  amount: Money | null;
  currency: CurrencyCode | null;
  /** Recipient of the remittance, or payment group of the balance. */
  detail: string | null;
  /** Id of the remittance, party or debit, according to `kind`. */
  id: string;
  /** Reason. */
  kind: AttentionKind;
  /** Code of the remittance, or name of the party. */
  name: string | null;
  /** Time since when it needs attention, if known; RFC 3339 in UTC. */
  since: string | null;
};
export type Attention = {
  backup: BackupAttention | null;
  /** Number of items per kind. */
  counts: AttentionCounts;
  /** Listed items. */
  results: AttentionItem[];
};
export type CashFigures = {
  /** Cash at the end of the period. */
  closing: Money;
  /** Paid out to recipients. */
  delivered: Money;
  /** Number of remittances delivered. */
  deliveries: number;
  /** Delivery fees earned, taken from the cash. */
  distributionFees: Money;
  /** Received for cash of another currency. */
  exchangedIn: Money;
  /** Given for cash of another currency. */
  exchangedOut: Money;
  /** Expenses paid from the cash. */
  expenses: Money;
  /** Handed back by delivery men to the dealer. */
  handedBack: Money;
  /** Handed back by the delivery man to the dealer. */
  handedBackToDealer: Money;
  /** Handed by the dealer to delivery men. */
  handedToDeliveryMen: Money;
  /** Cash at the beginning of the period, or an opening balance posted in it; negative when own cash was advanced. */
  opening: Money;
  /** Received from the manager, and by a delivery man also from his dealer. */
  received: Money;
  /** Cash that the party gave back to the manager. */
  returnedToManager: Money;
  /** Received from other field parties. */
  transferredIn: Money;
  /** Given to other field parties. */
  transferredOut: Money;
};
export type DealerCash = CashFigures & {
  /** closing − shipping: cash beyond the pending payouts. */
  credit: Money;
  /** Currency code, such as `CUP`. */
  currency: CurrencyCode;
  /** Payouts of the remittances in shipping at the end of the period. */
  shipping: Money;
};
export type CurrencyCash = CashFigures & {
  /** Currency code, such as `CUP`. */
  currency: CurrencyCode;
};
export type PartyCash = {
  /** One element per currency. */
  currencies: CurrencyCash[];
  /** The dealer or delivery man. */
  party: Ref;
  /** Role: dealer or delivery man. */
  userType: UserType;
};
export type DealerClosing = {
  /** Sums over the dealer and its delivery men, one element per currency. */
  currencies: DealerCash[];
  /** Id and name of the dealer or delivery man; null name after erasure. */
  dealer: Ref;
  /** The dealer first, then its delivery men by name. */
  parties: PartyCash[];
};
export type DealerClosingPage = {
  currentPage: number;
  data: DealerClosing[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type Deliveries = {
  /** Currency code, such as `CUP`. */
  currency: CurrencyCode;
  /** Paid out to recipients. */
  delivered: Money;
  /** Number of remittances delivered. */
  deliveries: number;
  /** Delivery fees earned. */
  distributionFees: Money;
};
export type PartyDeliveries = {
  /** One element per currency. */
  currencies: Deliveries[];
  /** The dealer or delivery man. */
  party: Ref;
  /** Role: dealer or delivery man. */
  userType: UserType;
};
export type DealerSales = {
  /** Sums over the dealer and its delivery men, one element per currency. */
  currencies: Deliveries[];
  /** Id and name of the dealer or delivery man; null name after erasure. */
  dealer: Ref;
  /** The dealer first, then its delivery men by name. */
  parties: PartyDeliveries[];
};
export type DealerSalesPage = {
  currentPage: number;
  data: DealerSales[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type DailyCount = {
  /** Day in the tenant's time zone, `YYYYMMDD`; the first of the month for months. */
  date: string;
  /** Hour in the tenant's time zone, 0 to 23; present when hours are requested. */
  hour: number | null;
  /** Number of remittances. */
  total: number;
};
export type RemittanceStatistics = {
  /** Hours, days or months. */
  results: DailyCount[];
};
export type SalesFigures = {
  /** The agencies' commission, in USD. */
  agencyFee: Money;
  /** The agents' commission, in USD. */
  agentFee: Money;
  /** Amount sent, net of cancellations and edits, in USD. */
  amount: Money;
  /** Payout currency, such as `CUP`. */
  currency: CurrencyCode;
  /** The manager's commission, in USD. */
  managerFee: Money;
  /** Amount less payout at the reference rate when quoted, in USD. */
  margin: Money;
  /** Payouts, in `currency`. */
  payout: Money;
  /** Remittances sold less those canceled. */
  remittances: number;
  /** Sum of the three commissions, in USD. */
  totalFee: Money;
};
export type SellerSales = SalesFigures & {
  agency?: Ref | null;
  agentType?: AgentType | null;
  /** Seller whose balance was used: an agency (including its internal agents) or an external agent. */
  seller: Ref;
  userType?: UserType | null;
};
export type SalesPage = {
  currentPage: number;
  data: SellerSales[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
  /** All rows of all pages, by currency. */
  totals: SalesFigures[];
};
export type DealerType = 0 | 1;
export type Dealer = {
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RowAction[];
  /** Address, first of three lines. */
  addressLine1: string | null;
  /** Address, second of three lines. */
  addressLine2: string | null;
  /** Address, third of three lines. */
  addressLine3: string | null;
  /** Country as an ISO 3166-1 alpha-2 code, such as `US`. */
  country: string | null;
  /** Time of creation, RFC 3339 in UTC. */
  created: string;
  /** Id of a delivery man's dealer; null for a dealer. */
  dealerId: string | null;
  /** Name of a delivery man's dealer. */
  dealerName: string | null;
  /** Names of province and zones, comma-joined with leading and trailing commas. */
  distributionArea: string;
  /** E-mail address of its login; unique in the tenant. */
  email: string;
  /** Whether it pays to MLC cards. */
  handleMLC: boolean;
  /** UUID. */
  id: string;
  /** Number of the identity document, normalised. */
  identificationNumber: string | null;
  /** Whether it can log in and be named by new commands. */
  isActive: boolean;
  /** Driving licence number. */
  license: string | null;
  /** Municipality of residence, as text. */
  municipality: string | null;
  /** Name; empty after erasure. */
  name: string;
  /** Second telephone number in E.164. */
  phone2: string | null;
  /** Telephone number in E.164, such as `+5352345678`. */
  phoneNumber: string | null;
  /** Name of the province of distribution. */
  province: string | null;
  /** Province of distribution, from Cuba's catalogue. */
  provinceId: string | null;
  /** Names of fields whose stored telephone or document number today's validation rejects (recorded before these
    rules, or imported). Changing such a field requires a valid value. */
  toCorrect: string[];
  /** Role: dealer or delivery man. */
  type: DealerType;
  /** Time of the last change, RFC 3339 in UTC. */
  updated: string;
  /** Postal code, as text. */
  zipcode: string | null;
  /** Municipalities served. */
  zones: Ref[];
};
export type DealerPage = {
  currentPage: number;
  data: Dealer[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type DealerInput = {
  /** Address, first of three lines. */
  addressLine1?: string | null;
  /** Address, second of three lines. */
  addressLine2?: string | null;
  /** Address, third of three lines. */
  addressLine3?: string | null;
  /** Country as an ISO 3166-1 alpha-2 code, such as `CU`. */
  country?: string | null;
  /** E-mail address of the login; unique in the tenant. */
  email: string;
  /** Whether it pays to MLC cards. */
  handleMLC?: boolean;
  /** Number of the identity document. */
  identificationNumber?: string | null;
  /** Whether it can log in and be named by new commands; a new one defaults to true. */
  isActive?: boolean;
  /** Driving licence number. */
  license?: string | null;
  /** Municipality of residence, as text. */
  municipality?: string | null;
  /** Name, at most 120 characters. */
  name: string;
  /** By the tenant's policy: 8 to 15 characters with a digit, a special character, an upper and a lower case letter and
    no blanks; or 12 to 128 of any kind. */
  password: string;
  /** Alias of `phoneNumber`. */
  phone?: string | null;
  /** Second telephone number. */
  phone2?: string | null;
  /** Telephone number; without a country code it is Cuban. */
  phoneNumber?: string | null;
  /** Province of distribution, from Cuba's catalogue. */
  provinceId?: string;
  /** Postal code. */
  zipcode?: string | null;
  /** Municipalities served, from Cuba's catalogue. */
  zones?: string[];
};
export type DealerChangeInput = {
  /** Address, first of three lines. */
  addressLine1?: string | null;
  /** Address, second of three lines. */
  addressLine2?: string | null;
  /** Address, third of three lines. */
  addressLine3?: string | null;
  /** Country as an ISO 3166-1 alpha-2 code, such as `CU`. */
  country?: string | null;
  /** E-mail address of the login; unique in the tenant. */
  email: string;
  /** Whether it pays to MLC cards. */
  handleMLC?: boolean;
  /** Id of the dealer, when the path does not contain it. */
  id?: string;
  /** Number of the identity document. */
  identificationNumber?: string | null;
  /** Whether it can log in and be named by new commands; a new one defaults to true. */
  isActive?: boolean;
  /** Driving licence number. */
  license?: string | null;
  /** Municipality of residence, as text. */
  municipality?: string | null;
  /** Name, at most 120 characters. */
  name: string;
  /** New password; the current one stays when absent. */
  password?: string | null;
  /** Alias of `phoneNumber`. */
  phone?: string | null;
  /** Second telephone number. */
  phone2?: string | null;
  /** Telephone number; without a country code it is Cuban. */
  phoneNumber?: string | null;
  /** Province of distribution, from Cuba's catalogue. */
  provinceId?: string;
  /** Previous values of the sent fields, as the client read them. With `was`, absent fields stay unchanged,
    and a field that someone else has changed since is refused: 409 `changed_since_read`. Without it, the
    whole record is replaced. */
  was?: object | null;
  /** Postal code. */
  zipcode?: string | null;
  /** Municipalities served, from Cuba's catalogue. */
  zones?: string[];
};
export type DirectoryDealer = {
  /** UUID. */
  id: string;
  /** Name of the dealer. */
  name: string;
};
export type DirectoryDealerPage = {
  currentPage: number;
  data: DirectoryDealer[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type ExpenseInput = {
  /** Amount, above 0, as a decimal string such as `100.00`. */
  amount: MoneyInput;
  /** Purpose of the expense, at most 300 characters. */
  concept: string;
  /** Currency code, such as `CUP`. */
  currency: string;
};
export type ExpectedInput = {
  /** Amount paid out: a sale's payout, the balance assigned, an exchange's counter value. */
  payout?: MoneyInput;
  /** Amount paid or owed for it: a sale's total in USD, an assignment's USD value, a payment's amount. */
  totalToPay?: MoneyInput;
};
export type DealerTransferInput = {
  /** Amount given, as a decimal string such as `100.00`. */
  amount: MoneyInput;
  /** Currency given, such as `USD`. */
  currency: string;
  /** Figures that the person confirmed. If the command would result in others, it is refused: 409 `quote_changed`. */
  expected?: ExpectedInput;
  /** Id of the giving party. */
  from: string;
  /** Note, at most 300 characters. */
  note?: string | null;
  /** Exchange rate: units of `toCurrency` per unit of `currency`. */
  rate?: DecimalInput;
  /** Id of the receiving party; absent with `toManager`. */
  to?: string;
  /** Currency received, for an exchange. */
  toCurrency?: string;
  /** Whether the manager receives, in place of `to`. */
  toManager?: boolean;
};
export type DeliveryManInput = {
  /** Address, first of three lines. */
  addressLine1?: string | null;
  /** Address, second of three lines. */
  addressLine2?: string | null;
  /** Address, third of three lines. */
  addressLine3?: string | null;
  /** Country as an ISO 3166-1 alpha-2 code, such as `CU`. */
  country?: string | null;
  /** Id of his dealer; optional for a calling dealer. */
  dealerId?: string;
  /** E-mail address of the login; unique in the tenant. */
  email: string;
  /** Whether it pays to MLC cards. */
  handleMLC?: boolean;
  /** Number of the identity document. */
  identificationNumber?: string | null;
  /** Whether it can log in and be named by new commands; a new one defaults to true. */
  isActive?: boolean;
  /** Driving licence number. */
  license?: string | null;
  /** Municipality of residence, as text. */
  municipality?: string | null;
  /** Name, at most 120 characters. */
  name: string;
  /** By the tenant's policy: 8 to 15 characters with a digit, a special character, an upper and a lower case letter and
    no blanks; or 12 to 128 of any kind. */
  password: string;
  /** Alias of `phoneNumber`. */
  phone?: string | null;
  /** Second telephone number. */
  phone2?: string | null;
  /** Telephone number; without a country code it is Cuban. */
  phoneNumber?: string | null;
  /** Postal code. */
  zipcode?: string | null;
};
export type DeliveryManChangeInput = {
  /** Address, first of three lines. */
  addressLine1?: string | null;
  /** Address, second of three lines. */
  addressLine2?: string | null;
  /** Address, third of three lines. */
  addressLine3?: string | null;
  /** Country as an ISO 3166-1 alpha-2 code, such as `CU`. */
  country?: string | null;
  /** Id of his dealer; immutable. */
  dealerId?: string | null;
  /** E-mail address of the login; unique in the tenant. */
  email: string;
  /** Whether it pays to MLC cards. */
  handleMLC?: boolean;
  /** Number of the identity document. */
  identificationNumber?: string | null;
  /** Whether it can log in and be named by new commands; a new one defaults to true. */
  isActive?: boolean;
  /** Driving licence number. */
  license?: string | null;
  /** Municipality of residence, as text. */
  municipality?: string | null;
  /** Name, at most 120 characters. */
  name: string;
  /** New password; the current one stays when absent. */
  password?: string | null;
  /** Alias of `phoneNumber`. */
  phone?: string | null;
  /** Second telephone number. */
  phone2?: string | null;
  /** Telephone number; without a country code it is Cuban. */
  phoneNumber?: string | null;
  /** Previous values of the sent fields, as the client read them. With `was`, absent fields stay unchanged,
    and a field that someone else has changed since is refused: 409 `changed_since_read`. Without it, the
    whole record is replaced. */
  was?: object | null;
  /** Postal code. */
  zipcode?: string | null;
};
export type News = {
  /** Recipient of a remittance; receiver, else giver, of a movement; whom or what a proposal concerns. Null when the record is
    outside the caller's scope. */
  about: string | null;
  /** Party that did it; all fields null for the system. */
  actor: HistoryActor;
  /** Payout of a remittance, or amounts of a movement; empty when the record is outside the caller's scope. */
  amounts: MovementAmount[];
  approvalKind: PublicApprovalKind | null;
  /** Time of the change, RFC 3339 in UTC. */
  at: string;
  customerType: CustomerType | null;
  /** Event type, such as `RemittanceCreated`. */
  eventType: string;
  /** Id of the record. */
  id: string;
  /** Whether the caller can open the record: false when deleted or outside the scope. */
  isVisible: boolean;
  /** Kind of the record. */
  kind: StreamKind;
  /** Current number or name of the record; null without one, or after erasure. */
  name: string | null;
  /** Position of the event in the tenant's log, from 1. */
  position: number;
};
export type NewsList = {
  /** Newest first. */
  news: News[];
  /** Positions whose changes are no longer stored; the newest 20,000 of the tenant are. */
  tooOld: number[];
};
export type PublicStatus =
  "pending" | "canceled" | "shipping" | "completed" | "error";
export type PublicRemittance = {
  agencyFee: Money | null;
  /** Participating agency; null for an agent without agency. */
  agencyId: string | null;
  agentFee: Money | null;
  /** Selling agent; null for an agency's own sale. */
  agentId: string | null;
  amount: Money | null;
  /** Card of a card transfer; null for home delivery. */
  cardId: string | null;
  /** Human number, such as `R-000001`. */
  code: string;
  /** Currency paid out. */
  currencyTo: CurrencyCode;
  /** Current or last dealer. */
  dealerId: string | null;
  /** Current or last delivery man. */
  deliveryManId: string | null;
  /** Delivery method. */
  deliveryMethod: DeliveryMethod;
  exchangeRate: Decimal | null;
  /** UUID. */
  id: string;
  managerFee: Money | null;
  /** Municipality of the delivery; null for a card transfer. */
  municipalityId: string | null;
  /** Payment group. */
  paymentGroupId: string;
  /** Amount paid out, in `currencyTo`. */
  payout: Money;
  /** Province of the delivery; null for a card transfer. */
  provinceId: string | null;
  /** Customer who is paid. */
  recipientId: string;
  /** The seller's own reference; unique per seller. */
  reference: string | null;
  /** Party whose balance the sale draws on. */
  sellerId: string;
  /** Customer who sends. */
  senderId: string;
  /** Status after the event. */
  status: PublicStatus;
  totalFee: Money | null;
  totalToPay: Money | null;
};
export type RemittanceCreatedV1 = {
  /** Delivery address of this remittance; null for the recipient's own, and after erasure. */
  address: string | null;
  /** The seller's notes; null when none, and after erasure. */
  notes: string | null;
  /** The remittance after the event. */
  remittance: PublicRemittance;
};
export type RemittanceAmountEditedV1 = {
  /** The remittance after the event. */
  remittance: PublicRemittance;
};
export type RemittanceDetailsEditedV1 = {
  /** Delivery address of this remittance; null for the recipient's own, and after erasure. */
  address: string | null;
  /** The seller's notes; null when none, and after erasure. */
  notes: string | null;
  /** The remittance after the event. */
  remittance: PublicRemittance;
};
export type RemittanceAssignedV1 = {
  /** The remittance after the event. */
  remittance: PublicRemittance;
};
export type RemittanceFailedV1 = {
  /** Reason; null after erasure. */
  reason: string | null;
  /** The remittance after the event. */
  remittance: PublicRemittance;
};
export type RemittanceCanceledV1 = {
  /** Reason; null after erasure. */
  reason: string | null;
  /** The remittance after the event. */
  remittance: PublicRemittance;
};
export type RemittanceCompletedV1 = {
  /** Time of delivery; before the event's time for an offline delivery. */
  deliveredAt: string;
  /** Party that delivered. */
  deliveredById: string;
  /** Delivery fee, in `currencyTo`. */
  distributionFee: Money;
  /** The remittance after the event. */
  remittance: PublicRemittance;
  /** Whether the recipient's authorised representative received it. */
  toRepresentative: boolean;
};
export type RemittanceDeliveryAttemptedV1 = {
  /** Time of the attempt; before the event's time for one recorded offline. */
  attemptedAt: string;
  /** Why it could not be made. */
  reason: AttemptReason;
  /** The remittance after the event. */
  remittance: PublicRemittance;
};
export type RemittanceDeliveryDisputedV1 = {
  /** Number of the dispute within the remittance, from 1. */
  number: number;
  /** Code of the refusal, as in the catalogue of problems. */
  refused: string;
  /** The remittance after the event. */
  remittance: PublicRemittance;
  /** Dealer or delivery man who reports the delivery. */
  reportedById: string;
};
export type RemittanceDeliveryDisputeSettledV1 = {
  /** Number of the dispute within the remittance. */
  number: number;
  /** Findings and actions taken; null after erasure. */
  reason: string | null;
  /** The remittance after the event. */
  remittance: PublicRemittance;
};
export type RemittanceWithdrawnV1 = {
  /** Remittance. */
  id: string;
};
export type PublicCustomerKind = "issuer" | "recipient";
export type PublicPerson = {
  /** Street and number. */
  addressLine: string | null;
  /** E-mail address. */
  email: string | null;
  /** Number of the identity document. */
  identificationNumber: string | null;
  /** First surname. */
  lastName: string | null;
  /** First name. */
  name: string;
  /** Telephone in E.164. */
  phoneNumber: string | null;
  /** Second surname. */
  secondSurname: string | null;
};
export type CustomerRegisteredV1 = {
  /** UUID. */
  id: string;
  /** Whether new remittances may name the customer. */
  isActive: boolean;
  /** Kind of the customer. */
  kind: PublicCustomerKind;
  /** Municipality of residence of a recipient. */
  municipalityId: string | null;
  /** Owning agency, or the agent without agency. */
  ownerId: string;
  person: PublicPerson | null;
  /** Province of residence of a recipient. */
  provinceId: string | null;
  /** Issuer of a recipient; null for an issuer. */
  senderId: string | null;
};
export type CustomerChangedV1 = {
  /** Customer. */
  id: string;
  /** Whether new remittances may name the customer. */
  isActive: boolean;
  /** Municipality of residence of a recipient. */
  municipalityId: string | null;
  person: PublicPerson | null;
  /** Province of residence of a recipient. */
  provinceId: string | null;
};
export type CustomerCardAddedV1 = {
  /** Bank and currency of the card. */
  brand: CardBrand;
  /** Card. */
  cardId: string;
  /** Number with only the last four digits readable; null after erasure. */
  cardNumber: string | null;
  /** Customer. */
  id: string;
};
export type CustomerDeletedV1 = {
  /** Customer. */
  id: string;
};
export type CustomerErasedV1 = {
  /** Customer. */
  id: string;
};
export type PartyRegisteredV1 = {
  /** An agent's agency. */
  agencyId: string | null;
  /** A delivery man's dealer. */
  dealerId: string | null;
  /** UUID. */
  id: string;
  /** Whether the party may log in and be named by new commands. */
  isActive: boolean;
  /** Name; null after erasure. */
  name: string | null;
  /** Role of the party. */
  role: PublicRole;
};
export type PartyChangedV1 = {
  /** Party. */
  id: string;
  /** Whether the party may log in and be named by new commands. */
  isActive: boolean;
  /** Name after the change; null after erasure. */
  name: string | null;
};
export type PartyTermsSetV1 = {
  /** Party. */
  id: string;
  /** Payment group. */
  paymentGroupId: string;
};
export type PartyDeactivatedV1 = {
  /** Party. */
  id: string;
};
export type PartyErasedV1 = {
  /** Party. */
  id: string;
};
export type PublicMovementKind =
  | "deposit"
  | "assignment"
  | "cash_assignment"
  | "transfer"
  | "exchange"
  | "return"
  | "expense"
  | "payment";
export type MovementPostedV1 = {
  /** Amount, in `currency`. */
  amount: Money;
  counterAmount: Money | null;
  counterCurrency: CurrencyCode | null;
  /** Currency of `amount`. */
  currency: CurrencyCode;
  /** Obligation that the movement opened. */
  debitId: string | null;
  /** Giver; null for the business. */
  fromId: string | null;
  /** UUID. */
  id: string;
  /** Kind of the movement. */
  kind: PublicMovementKind;
  /** Note, or concept of an expense; null when none, and after erasure. */
  note: string | null;
  /** Human number, such as `M-000001`. */
  number: string;
  /** Whether the value is owed instead of paid. */
  onCredit: boolean;
  /** Payment group of a balance; null for cash. */
  paymentGroupId: string | null;
  /** Receiver; null for the business. */
  toId: string | null;
};
export type MovementOpeningPostedV1 = {
  /** Amount, in `currency`. */
  amount: Money;
  /** Currency of `amount`. */
  currency: CurrencyCode;
  /** UUID. */
  id: string;
  /** Human number, such as `M-000001`. */
  number: string;
  /** Whose account; null for the treasury. */
  partyId: string | null;
  /** Payment group of a seller's balance; null for cash. */
  paymentGroupId: string | null;
};
export type MovementReversedV1 = {
  /** Movement. */
  id: string;
  /** Reason; null after erasure. */
  reason: string | null;
};
export type ClosurePeriodClosedV1 = {
  /** Obligation to the agency that the closure opened. */
  agencyDebitId: string | null;
  /** Obligation to the manager that the closure opened. */
  debitId: string | null;
  /** Start of the period; null for a seller's first. */
  from: string | null;
  /** UUID. */
  id: string;
  /** Human number, such as `C-000001`. */
  number: string;
  /** Seller. */
  partyId: string;
  /** Last day of the period, in the tenant's time zone. */
  through: string;
  /** End of the period, exclusive. */
  to: string;
};
export type CurrencySetV1 = {
  /** Currency code. */
  code: CurrencyCode;
  /** Whether it may be used. */
  enabled: boolean;
  /** Reference rate: units per USD. */
  exchangeRate: Decimal;
  /** UUID. */
  id: string;
  /** Symbol, such as `$`. */
  symbol: string;
};
export type CurrencyRemovedV1 = {
  /** Currency code. */
  code: CurrencyCode;
  /** Currency. */
  id: string;
};
export type PlaceProvinceChangedV1 = {
  /** Whether remittances may be delivered there. */
  enabled: boolean;
  /** Province. */
  id: string;
};
export type PlaceMunicipalityChangedV1 = {
  distributionFee: Money | null;
  distributionFeeCurrency: CurrencyCode | null;
  /** Whether remittances may be delivered there. */
  enabled: boolean;
  /** Municipality. */
  id: string;
};
export type PaymentGroupSetV1 = {
  /** Currency paid out. */
  currencyTo: CurrencyCode;
  /** Units of `currencyTo` per USD. */
  exchangeRate: Decimal;
  /** UUID. */
  id: string;
  /** Whether it is sold. */
  isActive: boolean;
  /** Name of the group. */
  name: string;
};
export type PaymentGroupRemovedV1 = {
  /** Payment group. */
  id: string;
};
export type RatesV1 = {
  /** Change of rates, as in `GET /api/rates/changes/{id}`. */
  id: string;
};
export type LogHistoryAcceptedV1 = {
  /** First lost position; null when nothing was lost. */
  lostFrom: number | null;
  /** Last lost position; null when nothing was lost. */
  lostTo: number | null;
  /** Position at which the log was accepted. */
  position: number;
};
export type PublicData =
  | RemittanceCreatedV1
  | RemittanceAmountEditedV1
  | RemittanceDetailsEditedV1
  | RemittanceAssignedV1
  | RemittanceFailedV1
  | RemittanceCanceledV1
  | RemittanceCompletedV1
  | RemittanceDeliveryAttemptedV1
  | RemittanceDeliveryDisputedV1
  | RemittanceDeliveryDisputeSettledV1
  | RemittanceWithdrawnV1
  | CustomerRegisteredV1
  | CustomerChangedV1
  | CustomerCardAddedV1
  | CustomerDeletedV1
  | CustomerErasedV1
  | PartyRegisteredV1
  | PartyChangedV1
  | PartyTermsSetV1
  | PartyDeactivatedV1
  | PartyErasedV1
  | MovementPostedV1
  | MovementOpeningPostedV1
  | MovementReversedV1
  | ClosurePeriodClosedV1
  | CurrencySetV1
  | CurrencyRemovedV1
  | PlaceProvinceChangedV1
  | PlaceMunicipalityChangedV1
  | PaymentGroupSetV1
  | PaymentGroupRemovedV1
  | RatesV1
  | LogHistoryAcceptedV1;
export type PublicEvent = {
  /** Party that did it, or `system`. */
  actor: string;
  /** Payload, by type. */
  data: PublicData;
  /** Media type of `data`. */
  datacontenttype: string;
  /** JSON Schema of `data`, as `GET /api/feed/types` gives it. */
  dataschema: string;
  /** Position in the tenant's log, and the start of the event's hash. Equal at every reading; unique in `source`. */
  id: string;
  /** Position as 19 digits: the order of events. Consecutive events of a consumer may have gaps. */
  sequence: string;
  /** Tenant. */
  source: string;
  /** Version of CloudEvents: `1.0`. */
  specversion: string;
  /** Kind and id of the record. */
  subject: string;
  /** Time of recording, RFC 3339 in UTC. */
  time: string;
  /** Versioned type. New types are added without notice: ignore those that you don't know. */
  type: string;
};
export type PublicEventType = {
  /** JSON Schema of `data`. */
  schema: object;
  /** Versioned name. */
  type: string;
};
export type PublicEventTypes = {
  /** All of them, by name. */
  results: PublicEventType[];
};
export type UploadInput = {
  /** The image. */
  file: Blob;
};
export type ImportFailure = {
  code: string;
  /** Text in the caller's language. */
  detail: string;
};
export type ImportCounts = {
  /** Added, or would be. */
  added: number;
  /** Left out by a person. */
  leftOut: number;
  /** Refused, or would be. */
  refused: number;
  /** What they say is there already. */
  there: number;
  /** Wait for an approval, or would. */
  waiting: number;
};
export type ImportKind =
  | "issuers"
  | "recipients"
  | "remittances"
  | "completions"
  | "openings"
  | "fees"
  | "users";
export type ImportState =
  | "mapping"
  | "previewing"
  | "previewed"
  | "running"
  | "paused"
  | "done"
  | "canceled";
export type ImportView = {
  /** When its state last changed. */
  changedAt: string;
  /** When it was uploaded. */
  createdAt: string;
  /** Rows that the preview or the run under way, or the last one, has done. */
  done: number;
  /** When its content is erased, or was. */
  eraseAt: string;
  failure: ImportFailure | null;
  /** Id: derived from the kind and the content, so that the same file is the same import. The audit finds the events of an
    import by it (`requestId`). */
  id: string;
  imported: ImportCounts | null;
  kind: ImportKind;
  /** Who uploaded it, and alone may change and run it. */
  maker: Ref;
  /** Name of the file; null once its content is erased. */
  name: string | null;
  previewed: ImportCounts | null;
  /** Rows below the header. */
  rows: number;
  state: ImportState;
};
export type Imports = {
  /** The newest 100, newest first. */
  results: ImportView[];
};
export type ImportBalance = {
  /** Before the first row, as a decimal string. */
  begins: string;
  currency: string;
  /** After the last row, as a decimal string. */
  ends: string;
};
export type ImportTotal = {
  currency: string;
  /** `found` less `expected`, as a decimal string. */
  difference: string;
  /** What the other system says, as a decimal string. */
  expected: string;
  /** What the rows that would be added come to: paid out, or opened. */
  found: string;
};
export type ImportDateOrder = "dayFirst" | "monthFirst";
export type ImportDecimal = "point" | "comma";
export type ImportMapping = {
  /** Column of each field, from 0. */
  columns?: {
    [key: string]: number;
  };
  /** Values of fields that no column has, for all rows. */
  constants?: {
    [key: string]: string;
  };
  dates: ImportDateOrder | null;
  decimal: ImportDecimal | null;
  /** Totals by currency that another system says of the file, as decimal strings: the preview compares them with what the
    rows pay out or open, and the run does not begin while they differ. Opening balances need them. */
  expected?: {
    [key: string]: string;
  };
  /** For a manager: the agency or the agent without agency that owns the customers and sells the remittances. */
  owner: string | null;
};
export type ImportNotice =
  | "formulas"
  | "hiddenSheets"
  | "otherSheets"
  | "mergedCells"
  | "hiddenRows"
  | "lineBreaks";
export type ImportProofs = {
  /** Number of entries. */
  entries: number;
  /** Name of the file. */
  name: string;
  /** Names of entries that belong to no row, by the latest preview; null before it. */
  unused: string[] | null;
};
export type ImportSum = {
  /** Charged to senders or owed by the seller, as a decimal string. */
  charged: string;
  currency: string;
  /** Opening balances, as a decimal string. */
  opened: string;
  /** Paid out to recipients, as a decimal string. */
  paidOut: string;
};
export type ImportDetail = ImportView & {
  /** The seller's balances before the first row and after the last one, by the latest preview: all payment groups of a
    currency together. What is owed, below 0, only where the rows move no balance of the currency. */
  balances: ImportBalance[];
  /** Totals of another system beside those of the latest preview; empty where the mapping says none. */
  expected: ImportTotal[];
  /** Columns of the file; empty once its content is erased. */
  headers: string[];
  mapping?: ImportMapping | null;
  /** Notes on how the file was read. */
  notices: ImportNotice[];
  /** Whether the caller may change and run it. */
  own: boolean;
  /** Rows by result so far in the preview. */
  previewCounts: ImportCounts;
  proofs?: ImportProofs | null;
  /** Rows by result so far in the run. */
  runCounts: ImportCounts;
  /** The first rows. */
  sample: string[][];
  seller?: Ref | null;
  /** Rows by what they show: the result of the run, or else of the preview. */
  shownCounts: ImportCounts;
  /** Whether the caller may pause and cancel it. */
  stoppable: boolean;
  /** Totals of the latest preview: charged, paid out and opened. */
  sums: ImportSum[];
};
export type ImportInput = {
  /** The file. */
  file: Blob;
  /** Kind of the rows. */
  kind: ImportKind;
  /** Name of the file, for the history: at most 200 characters. */
  name?: string | null;
};
export type ImportShape = "text" | "number" | "date" | "moment" | "digits";
export type ImportField = {
  /** Name, as in the call that makes such a record. */
  name: string;
  /** Whether a column or a fixed value is needed for it. */
  required: boolean;
  /** How its cells are read. */
  shape: ImportShape;
};
export type ImportKindView = {
  /** Fields to which columns can be mapped. */
  fields: ImportField[];
  kind: ImportKind;
  /** Whether a manager says whose the rows are. */
  owned: boolean;
  /** Whether a ZIP of proofs belongs to such a list. */
  proofs: boolean;
};
export type ImportKinds = {
  /** Those that the caller may import. */
  results: ImportKindView[];
};
export type ImportProofsInput = {
  /** The ZIP. JPEG, PNG or WebP, with names that the rows say, or that begin with the codes of the remittances. */
  file: Blob;
  /** Name of the file, for the history: at most 200 characters. */
  name?: string | null;
};
export type ImportRowBalance = {
  /** Decimal string. */
  amount: string;
  currency: string;
};
export type ImportRowError = Said & {
  /** Stable code, such as `balance_insufficient`; `docs/errors.md` lists all. */
  code: string;
  /** Column that it is about, from 0; null for the whole row. */
  column?: number | null;
  /** Text in the caller's language (`Accept-Language`). */
  detail: string;
  /** Field that it is about; empty for the whole row. */
  field: string;
};
export type ImportRowResult =
  "added" | "there" | "waiting" | "refused" | "leftOut";
export type ImportRow = {
  balance: ImportRowBalance | null;
  /** Cells; empty once the content is erased. */
  cells: string[];
  /** Code of its remittance; null for others, and in a preview. */
  code: string | null;
  /** Errors of the run, or else of the preview. */
  errors: ImportRowError[];
  /** Whether it is left out. */
  leftOut: boolean;
  /** Line of the file, from 1. */
  line: number;
  preview: ImportRowResult | null;
  /** The record that it added or means; null in a preview. */
  record: string | null;
  result: ImportRowResult | null;
  /** Number of the row below the header, from 0. */
  row: number;
};
export type ImportRowPage = {
  currentPage: number;
  data: ImportRow[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type ImportCellInput = {
  /** Column, from 0. */
  column: number;
  /** Text, at most 1,000 characters. */
  text: string;
};
export type ImportRowInput = {
  /** New texts of cells, as the file writes numbers and dates. */
  cells?: ImportCellInput[];
  /** Whether the row is left out; unchanged when absent. */
  leftOut?: boolean | null;
};
export type ApiKey = {
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RowAction[];
  /** Time of the issue, RFC 3339 in UTC. */
  created: string;
  createdBy: Ref | null;
  /** Time from which the key is refused, RFC 3339 in UTC. */
  expiresAt: string;
  /** UUID. */
  id: string;
  /** Time of the last use, up to ten minutes old; null before the first. */
  lastUsed: string | null;
  /** Purpose of the key; null after the erasure of its party. */
  name: string | null;
  /** Networks from which the key may be used, in CIDR notation; empty for all. */
  networks: string[];
  /** Party as which the key acts. */
  party: Ref;
  /** Time until which the secret before the last rotation is accepted too; null before the first rotation. */
  previousUntil: string | null;
  /** Rate limit, per node of the installation. */
  requestsPerMinute: number;
  /** Time of the revocation; null while not revoked. */
  revokedAt: string | null;
  revokedBy: Ref | null;
  /** Time of the last rotation; null before the first. */
  rotatedAt: string | null;
  /** Scopes: the groups of calls that the key may make. */
  scopes: string[];
  /** First characters of the current secret. */
  start: string;
  /** `active`, `expired` or `revoked`. */
  status: string;
  /** Role of the party. */
  userType: UserType;
};
export type ApiKeyPage = {
  currentPage: number;
  data: ApiKey[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type ApiKeyWithSecret = {
  /** The key as lists show it, without the secret. */
  key: ApiKey;
  /** The secret, for the header `Authorization: Bearer`. It is answered once: null when the request is repeated under
    the same idempotency key. */
  secret: string | null;
};
export type ApiKeyInput = {
  /** Time from which the key is refused, RFC 3339; at most two years ahead. */
  expiresAt: string;
  /** Purpose of the key, such as `Online shop`. */
  name: string;
  /** Networks in CIDR notation, or addresses, from which the key may be used; absent or empty for all. */
  networks?: string[] | null;
  /** Party as which the key acts; absent for the caller. Only managers issue keys for others. */
  partyId?: string | null;
  /** Rate limit, per node of the installation; 600 when absent. */
  requestsPerMinute?: number | null;
  /** Scopes, of those of the party's role: `GET /api/keys/scopes` lists them. */
  scopes: string[];
};
export type ScopedCall = {
  /** HTTP method. */
  method: string;
  /** Path as in the OpenAPI document. */
  path: string;
};
export type ApiKeyScope = {
  /** Calls that it permits to the role. */
  calls: ScopedCall[];
  /** Name: the first part of the calls' path, and `read` for GET or `write` for all other methods. */
  scope: string;
};
export type ApiKeyScopes = {
  /** All of them, by name. */
  results: ApiKeyScope[];
};
export type ApiKeyRotationInput = {
  /** A new expiry, RFC 3339, at most two years ahead; absent to keep the expiry. */
  expiresAt?: string | null;
  /** Hours in which the secret before is accepted too; 0 for none, 24 when absent. */
  overlapHours?: number | null;
};
export type LimitRule = {
  amount: Money | null;
  /** Largest allowed number of remittances; null for any. */
  count: number | null;
  /** Ids of the payment groups whose sales count; empty for all. */
  groups: string[];
  /** UUID. */
  id: string;
  /** Requirements for a sale beyond the limit; empty unless the outcome is `needs`. */
  needs: PublicLimitNeed[];
  /** Outcome for a sale beyond the limit. */
  outcome: PublicLimitOutcome;
  /** The customer of a sale that it is about. */
  side: PublicLimitSide;
  /** Window of the sum: one sale, or a number of days. */
  window: PublicLimitWindow;
};
export type LimitRules = {
  /** In the order in which they were added. */
  results: LimitRule[];
};
export type LimitRuleInput = {
  amount?: MoneyInput | null;
  /** Largest allowed number of remittances, up to 10,000. Not for the window `sale`. */
  count?: number | null;
  /** Ids of the payment groups whose sales count; absent or empty for all. */
  groups?: string[] | null;
  /** Requirements for a sale beyond the limit; for the outcome `needs` only. */
  needs?: PublicLimitNeed[] | null;
  /** Outcome for a sale beyond the limit. */
  outcome: PublicLimitOutcome;
  /** The customer of a sale that it is about. */
  side: PublicLimitSide;
  /** Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    refused: 409 `changed_since_read`. Absent, the rule is replaced as a whole. Only for changes. */
  was?: object | null;
  /** Window of the sum: one sale, or a number of days. */
  window: PublicLimitWindow;
};
export type NamedPlace = {
  /** ISO 3166 code, such as `US` or `US-FL`; for a city its name. */
  code: string;
  /** Equal to `code`. */
  id: string;
  /** Name in the caller's language. */
  name: string;
};
export type NamedPlaceList = {
  /** All of them: countries and states by name, cities by frequency. */
  results: NamedPlace[];
};
export type Municipality = {
  /** Code of Cuba's statistical office (ONEI). */
  code: string;
  distributionFee: Money | null;
  distributionFeeCurrency: CurrencyCode | null;
  /** Whether remittances may be delivered there. */
  enabled: boolean;
  /** UUID. */
  id: string;
  /** Name of the municipality. */
  name: string;
  /** Id of its province. */
  provinceId: string;
  /** Name of its province. */
  provinceName: string;
};
export type MunicipalityList = {
  /** Ordered by code. */
  results: Municipality[];
};
export type Province = {
  /** Code of Cuba's statistical office (ONEI). */
  code: string;
  /** Whether remittances may be delivered there. */
  enabled: boolean;
  /** UUID. */
  id: string;
  /** Name of the province. */
  name: string;
};
export type ProvinceList = {
  /** Ordered by code. */
  results: Province[];
};
export type Currency = {
  /** Whether consolidated totals include it. */
  accounted: boolean;
  /** Code, such as `CUP`; immutable. */
  code: CurrencyCode;
  /** Default distribution fee per delivery, in this currency. */
  distributionRate: Money;
  /** Whether new operations may use it. */
  enabled: boolean;
  /** Reference rate: units per USD. */
  exchangeRate: Decimal;
  /** UUID. */
  id: string;
  /** Symbol before amounts, such as `$`. */
  symbol: string;
};
export type CurrencyPage = {
  currentPage: number;
  data: Currency[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type CurrencyInput = {
  /** Whether consolidated totals include it. */
  accounted: boolean;
  /** Code: three upper-case letters, such as `CUP`; immutable. */
  code: string;
  /** Default delivery fee, in this currency. */
  distributionRate: MoneyInput;
  /** Whether new operations may use it. */
  enabled: boolean;
  /** Reference rate: units per USD. */
  exchangeRate: DecimalInput;
  /** Symbol before amounts, at most 5 characters. */
  symbol: string;
  /** Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    refused: 409 `changed_since_read`. */
  was?: object | null;
};
export type MunicipalityInput = {
  distributionFee?: MoneyInput | null;
  distributionFeeCurrency?: CurrencyCode | null;
  /** Whether remittances may be delivered there. */
  enabled?: boolean;
  /** Name of the place; accepted for round-trips, but immutable. */
  name?: string;
  /** Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    refused: 409 `changed_since_read`. */
  was?: object | null;
};
export type PaymentGroupRef = {
  /** Id of the record. */
  id: string;
};
export type PaymentGroup = {
  /** An agency's commission: the default, or the terms' own. */
  agencyCommission: Commission;
  /** An agent's commission: the default, or the terms' own. */
  agentCommission: Commission;
  /** Currency of the amount sold: always USD. */
  currencyFrom: CurrencyCode;
  /** Currency paid out, such as `CUP`. */
  currencyTo: CurrencyCode;
  /** Exchange rate: units of `currencyTo` per USD. */
  exchangeRate: Decimal;
  /** Id of the catalogue group. */
  id: string;
  /** Whether it may be sold now. */
  isActive: boolean;
  /** The manager's commission. */
  managerCommission: ManagerCommission;
  /** Name of the group, or the party's own name for it. */
  name: string;
  /** Catalogue group or own terms. */
  type: PaymentGroupType;
};
export type PaymentGroupPage = {
  currentPage: number;
  data: PaymentGroup[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type PaymentGroupInput = {
  /** Default commission of agencies' terms; 0 % when absent. */
  agencyCommission?: CommissionInput;
  /** Default commission of agents' terms; 0 % when absent. */
  agentCommission?: CommissionInput;
  /** Currency of the amount sold: always USD. */
  currencyFrom?: string;
  /** Currency paid out, such as `CUP`; immutable. */
  currencyTo: string;
  /** Exchange rate: units of `currencyTo` per USD; a party's terms may override it. */
  exchangeRate: DecimalInput;
  /** Id of the group, when the path does not contain it. */
  id?: string;
  /** Whether it may be sold; true when absent. */
  isActive?: boolean;
  /** The manager's commission. */
  managerCommission: ManagerCommissionInput;
  /** Name, unique among the groups, at most 80 characters. */
  name: string;
  /** Always 0: a catalogue group. */
  type?: PaymentGroupType;
  /** Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    refused: 409 `changed_since_read`. */
  was?: object | null;
};
export type ProvinceInput = {
  /** Whether remittances may be delivered there. */
  enabled?: boolean;
  /** Name of the place; accepted for round-trips, but immutable. */
  name?: string;
};
export type OfficePermissionSet = {
  /** Name of a template, or id of one of the tenant's own sets. */
  id: string;
  /** Whether it is a template, which every tenant has and none changes. */
  isTemplate: boolean;
  /** Whether the caller has all of its permissions, and so may give it to others. */
  mayGive: boolean;
  /** Active members of the office who have it. */
  members: number;
  /** Name of the tenant's own set; null for a template. */
  name: string | null;
  /** Areas that its holders read. */
  reads: OfficeArea[];
  /** Areas that its holders write. */
  writes: OfficeArea[];
};
export type OfficePermissionSets = {
  /** Templates first, then the tenant's own by name. */
  results: OfficePermissionSet[];
};
export type PermissionSetInput = {
  /** Name, unique in the tenant. It must not name people. */
  name: string;
  /** Areas that its holders read; those of `writes` need not be repeated. */
  reads: OfficeArea[];
  /** Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    refused: 409 `changed_since_read`. Absent, the set is replaced as a whole. Only for changes. */
  was?: object | null;
  /** Areas that its holders write, which includes reading. */
  writes: OfficeArea[];
};
export type ProposedFigures = {
  exchangeRate: Decimal | null;
  /** Amount paid out, in `payoutCurrency`. */
  payout: Money;
  /** Currency of `payout`, such as `CUP`. */
  payoutCurrency: CurrencyCode;
  /** Currency of `totalToPay`. */
  totalCurrency: CurrencyCode;
  /** Amount paid or owed for it, in `totalCurrency`. */
  totalToPay: Money;
};
export type ProposedAccount = {
  /** Kind of the account, such as `balance`. */
  kind: string;
  owner: Ref | null;
  /** Payment group of a prepaid balance; null for other accounts. */
  paymentGroupId: string | null;
};
export type ProposedTransfer = {
  /** Amount, above 0. */
  amount: Money;
  /** Purpose of the transfer, such as `sale`. */
  code: string;
  /** Account credited. */
  credit: ProposedAccount;
  /** Currency code, such as `CUP`. */
  currency: CurrencyCode;
  /** Account debited. */
  debit: ProposedAccount;
};
export type Proposal = {
  amount: Money | null;
  /** Role that approves; managers always may. */
  approvers: string;
  concerns: Ref | null;
  /** Time of the command, RFC 3339 in UTC. */
  created: string;
  /** Time of the decision; null before. */
  decidedAt: string | null;
  decidedBy: Ref | null;
  /** Time from which on it can't be approved. */
  expiresAt: string;
  figures: ProposedFigures | null;
  /** UUID. */
  id: string;
  /** Kind of the rule that covered the command. */
  kind: PublicApprovalKind;
  /** Party that gave the command. */
  maker: Ref;
  makerType: UserType | null;
  /** Whether the caller may approve and reject it now. */
  mayDecide: boolean;
  /** Whether the caller may withdraw it now. */
  mayWithdraw: boolean;
  /** Number of the record that the approval created or changed, if it has one. */
  number: string | null;
  /** Reason of the rejection; null otherwise, and after the maker's erasure. */
  reason: string | null;
  /** Record that the command writes. */
  recordId: string;
  /** Type of the record that the command writes. */
  recordType: string;
  /** `waiting`, `expired`, `approved`, `rejected`, `withdrawn`, or `erased` with the person that it was about. */
  status: string;
  /** Postings that the command would have made when it was given, as far as the caller sees their accounts. */
  transfers: ProposedTransfer[];
};
export type ProposalPage = {
  currentPage: number;
  data: Proposal[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type ProposalDetail = Proposal & {
  /** The command as it was given: its name in `command`, and its values, a card's number by its last digits. Null after the
    erasure of the person that it is about. */
  command?: object | null;
};
export type ApprovalInput = {
  expected?: ExpectedInput | null;
};
export type RejectionInput = {
  /** Reason, which the maker reads. */
  reason: string;
};
export type RateOwner = {
  agency: Ref | null;
  currency: CurrencyCode | null;
  /** Currency of a reference rate; null for others. */
  currencyId: string | null;
  /** `reference`, `catalogue` or `terms`. */
  kind: string;
  party: Ref | null;
  /** Payment group of a catalogue or terms rate; null for a reference rate. */
  paymentGroupId: string | null;
  /** Name of the payment group. */
  paymentGroupName: string | null;
  userType: UserType | null;
};
export type TodaysRate = RateOwner & {
  /** Whether it is in use: currency, group and terms are active. */
  isActive: boolean;
  /** Rate: units of the currency per USD. */
  rate: Decimal;
};
export type RateSheet = {
  /** Reference rates, then the catalogue's, then parties'. */
  results: TodaysRate[];
};
export type ChangedRate = RateOwner & {
  /** Rate right before; for a scheduled change, the rate at scheduling. */
  from: Decimal;
  /** New rate: units of the currency per USD. */
  to: Decimal;
};
export type RateChange = {
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RowAction[];
  /** Scheduled time, RFC 3339 in UTC; null when it took effect at once. */
  at: string | null;
  /** Time of the request, RFC 3339 in UTC. */
  created: string;
  createdBy: Ref | null;
  /** Time at which it took effect; null before. */
  effectiveAt: string | null;
  /** Time at which it was canceled or undone; null otherwise. */
  endedAt: string | null;
  endedBy: Ref | null;
  /** UUID. */
  id: string;
  /** Rates set by the change. */
  rates: ChangedRate[];
  /** Scheduled rates whose owner no longer existed at the effective time. */
  skipped: RateOwner[];
  /** `scheduled`, `effective`, `canceled` (before its time) or `undone` (afterwards). */
  status: string;
};
export type RateChangePage = {
  currentPage: number;
  data: RateChange[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type WantedRateInput = {
  /** Id of the currency, for `reference`. */
  currencyId?: string | null;
  from?: DecimalInput | null;
  /** Owner: `reference` of a currency, `catalogue` of a payment group, or `terms` of a party for a payment group. */
  kind: string;
  /** Id of the party, for `terms`. */
  partyId?: string | null;
  /** Id of the payment group, for `catalogue` and `terms`. */
  paymentGroupId?: string | null;
  /** New rate: units of the currency per USD. */
  to: DecimalInput;
};
export type RateChangeInput = {
  /** Effective time, RFC 3339, at most a year ahead; absent for at once. */
  at?: string | null;
  /** Rates to set; at most 1,000, each owner once. */
  rates: WantedRateInput[];
};
export type RemittanceAct =
  "complete" | "assign" | "editDetails" | "editAmount" | "error" | "cancel";
export type RemittanceAction = {
  /** The action that `refusal` is about. */
  action: RemittanceAct;
  /** Refusal code; null when allowed. `role_not_allowed` when the caller's role can never perform it, `permission_missing` when
    the caller's permission set can't. */
  refusal: string | null;
};
export type RemittanceAddress = {
  /** The remittance's own address, else the recipient's. */
  addressLine: string | null;
  /** Name of the municipality. */
  municipality: string | null;
  /** Id of the municipality. */
  municipalityId: string | null;
  /** Name of the province. */
  province: string | null;
  /** Id of the province. */
  provinceId: string | null;
};
export type DisputeStatus = "open" | "settled";
export type RemittanceProof = {
  /** URL path of the signature; null when none, or after erasure. */
  firmPicture: string | null;
  /** URL path of the identification's photograph, or of the transfer's proof; null when none, or after erasure. */
  identificationDocument: string | null;
};
export type RemittancePerson = {
  /** Id of the customer. */
  id: string;
  /** Number of the identity document; a sender's is null for delivery men. */
  identificationNumber: string | null;
  /** Full name; null after erasure. */
  name: string | null;
  /** Telephone in E.164; a sender's is null for delivery men. */
  phoneNumber: string | null;
};
export type RemittanceRepresentative = {
  /** Document number of the representative. */
  identificationNumber: string | null;
  /** Full name of the representative. */
  name: string;
  /** Telephone of the representative in E.164. */
  phoneNumber: string | null;
};
export type Remittance = {
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RemittanceAction[];
  address: RemittanceAddress | null;
  agency: Ref | null;
  agencyFee: Money | null;
  agent: Ref | null;
  agentFee: Money | null;
  amount: Money | null;
  /** Time of the last assignment. */
  assigned: string | null;
  breach: DisputeStatus | null;
  card: Card | null;
  /** Human number, such as `R-000001`. */
  code: string;
  /** Time at which the delivery was recorded. */
  completed: string | null;
  /** Time of the sale, RFC 3339 in UTC. */
  created: string;
  /** Currency of the amount sold: always USD. */
  currencyFrom: CurrencyCode;
  /** Currency paid out, such as `CUP`. */
  currencyTo: CurrencyCode;
  dealer: Ref | null;
  /** Time of delivery; before `completed` for an offline delivery. */
  delivered: string | null;
  deliveryMan: Ref | null;
  /** Delivery method: `home` or `card`. */
  deliveryMethod: DeliveryMethod;
  distributionFee: Money | null;
  exchangeRate: Decimal | null;
  /** Name of the payment group. */
  groupName: string;
  /** Whether it waits for a review: it can be canceled, and not assigned, completed or edited. */
  held: boolean;
  /** UUID. */
  id: string;
  managerFee: Money | null;
  /** The seller's notes; null after erasure. */
  notes: string | null;
  /** Id of the payment group. */
  paymentGroupId: string;
  /** Amount paid out, in `currencyTo`. */
  payout: Money;
  /** Proof of the delivery. */
  proof: RemittanceProof;
  /** Reason of the error or cancellation. */
  reason: string | null;
  /** Recipient; name, telephone and document are null after erasure. */
  recipient: RemittancePerson;
  /** The seller's own reference; unique per seller. */
  reference: string | null;
  representative: RemittanceRepresentative | null;
  /** Sender (issuer). */
  sender: RemittancePerson;
  /** Status: 0 pending, 1 canceled, 2 shipping, 3 completed, 4 error. */
  status: RemittanceStatus;
  /** Whether the recipient's authorised representative received it. */
  toRepresentative: boolean;
  totalFee: Money | null;
  totalToPay: Money | null;
  /** Time of the last change, RFC 3339 in UTC. */
  updated: string;
};
export type RemittancePage = {
  currentPage: number;
  data: Remittance[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type Quote = {
  /** The agency's commission, in USD. */
  agencyFee: Money;
  /** The agent's commission, in USD. */
  agentFee: Money;
  /** Amount sent, in USD. */
  amount: Money;
  /** Currency paid out, such as `CUP`. */
  currencyTo: CurrencyCode;
  /** Exchange rate: units of `currencyTo` per USD. */
  exchangeRate: Decimal;
  /** The manager's commission, in USD. */
  managerFee: Money;
  /** Amount paid out, in `currencyTo`. */
  payout: Money;
  /** The seller's balance in this group after the sale, in `currencyTo`; negative when on credit or beyond the credit
    limit. */
  remainingBalance: Money;
  /** Sum of the commissions, in USD. */
  totalFee: Money;
  /** Amount plus commissions, in USD. */
  totalToPay: Money;
};
export type RemittanceCreated = {
  /** Human number, such as `R-000001`. */
  code: string;
  /** UUID. */
  id: string;
  /** Quote of the sale. */
  quote: Quote;
  /** Status: pending 0. */
  status: RemittanceStatus;
};
export type RemittanceInput = {
  /** Seller, when an agency. Beside `agentId` it must be that agent's agency. */
  agencyId?: string | null;
  /** Seller, when an agent. */
  agentId?: string | null;
  /** Amount sent, in USD, as a decimal string such as `100.00`. */
  amount: MoneyInput;
  /** One of the recipient's cards; required for a card transfer. */
  cardId?: string | null;
  /** Delivery method: `home` for cash at the recipient's address, `card` for a transfer to one of the recipient's
    cards. */
  deliveryMethod: DeliveryMethod;
  /** Figures that the person confirmed. If the command would result in others, it is refused: 409 `quote_changed`. */
  expected?: ExpectedInput;
  /** The seller's notes, at most 500 characters. */
  notes?: string | null;
  /** Id of a payment group in the seller's terms. */
  paymentGroupId: string;
  /** Purpose of the transfer, at most 200 characters. Needed where the sale is refused with `needs_purpose`. */
  purpose?: string | null;
  /** Id of one of the sender's recipients. */
  recipientId: string;
  /** The seller's own reference; unique per seller, at most 60 characters. */
  reference?: string | null;
  /** Id of the sender (issuer). */
  senderId: string;
  /** Source of the funds, at most 200 characters. Needed where the sale is refused with `needs_source_of_funds`. */
  sourceOfFunds?: string | null;
};
export type NeededApproval = {
  /** Role that approves; managers always may. */
  approvers: string;
  /** Hours after which the proposal would expire. */
  expiresAfterHours: number;
  /** Kind of the rule that covers the command. */
  kind: PublicApprovalKind;
};
export type PreviewedAccount = {
  after: Money | null;
  before: Money | null;
  /** Kind of the account, such as `balance`. */
  kind: string;
  /** Side on which the account usually stands: of a prepaid balance `credit`, so that a negative `after` is available. */
  normalSide: NormalSide;
  /** Owner; null for the tenant's own accounts. */
  ownerId: string | null;
  /** Current name of the owner; null when the balance is hidden from the caller, and after the owner's erasure. */
  ownerName: string | null;
  /** Payment group of a prepaid balance; null for other accounts. */
  paymentGroupId: string | null;
};
export type PreviewedTransfer = {
  /** Amount, above 0. */
  amount: Money;
  /** Purpose of the transfer, such as `sale`. */
  code: string;
  /** Account credited. */
  credit: PreviewedAccount;
  /** Currency code, such as `CUP`. */
  currency: CurrencyCode;
  /** Account debited. */
  debit: PreviewedAccount;
};
export type Preview = {
  approval: NeededApproval | null;
  figures: Figures | null;
  remainingBalance: Money | null;
  /** Status of the remittance afterwards. */
  status: number | null;
  /** Postings in order, as far as the caller sees their accounts. */
  transfers: PreviewedTransfer[];
  /** Warnings; the command would succeed. */
  warnings: Warning[];
};
export type BulkAssignRow = {
  /** Id of the remittance. */
  id: string;
  /** Whether it was assigned. */
  ok: boolean;
  /** Preview of the assignment, when requested. */
  preview?: Preview;
  problem: Problem | null;
  /** Warnings; the remittance was assigned. */
  warnings: Warning[];
};
export type BulkAssignResult = {
  /** One element per remittance. */
  results: BulkAssignRow[];
};
export type BulkAssignInput = {
  /** Id of an active dealer. */
  dealerId: string;
  /** Id of one of the dealer's delivery men; absent leaves them with the dealer. */
  deliveryManId?: string | null;
  /** Ids of the remittances, each once; at most 200. */
  remittanceIds: string[];
};
export type DealerDeskInput = {
  /** Ids of the agencies; empty for all in the caller's scope. */
  agencyIds?: string[] | null;
};
export type RemittanceDetailsInput = {
  /** Delivery address; null restores the recipient's own. */
  address?: string | null;
  /** One of the recipient's cards; required for a card transfer. */
  cardId?: string | null;
  /** Delivery method: `home` or `card`. */
  deliveryMethod?: DeliveryMethod;
  /** Municipality of the address, from Cuba's catalogue. */
  municipalityId?: string;
  /** The seller's notes, at most 500 characters; null removes them. */
  notes?: string | null;
  /** Province of the address, from Cuba's catalogue. */
  provinceId?: string;
  /** Id of another of the sender's recipients. */
  recipientId?: string;
  /** The seller's own reference, unique among the seller's; null removes it. */
  reference?: string | null;
  /** The values of the fields that are sent, as they were read: what another changed since is refused
    (409 `changed_since_read`). */
  was?: object | null;
};
export type DeliveryDispute = {
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RowAction[];
  /** Human number of the remittance, such as `R-000001`. */
  code: string;
  /** Currency of the payout, such as `CUP`. */
  currencyTo: CurrencyCode;
  dealer: Ref | null;
  /** Time of delivery by the telephone's clock, RFC 3339 in UTC; null when unknown. */
  delivered: string | null;
  /** URL path of the signature; null for a card transfer or after erasure. */
  firmPicture: string | null;
  /** URL path of the identification's photograph, or of the transfer's proof; null after erasure. */
  identificationDocument: string | null;
  /** Number of the dispute within the remittance, from 1. */
  number: number;
  /** Amount that the reporter carried, in `currencyTo`. Later edits of the remittance do not change it. */
  payout: Money;
  /** Name of the recipient to whom the reporter carried it; null after erasure. */
  recipient: string | null;
  /** Refusal code: the remittance's state when the delivery was synchronised. */
  refused: string;
  /** Id of the remittance. */
  remittanceId: string;
  /** Status of the remittance: now; for a dealer who no longer has it, when the delivery was synchronised. */
  remittanceStatus: RemittanceStatus;
  /** Dealer or delivery man who reports the delivery. */
  reportedBy: Ref;
  /** Time of synchronisation, RFC 3339 in UTC. */
  sent: string;
  /** Time of the settlement; null while open. */
  settled: string | null;
  settledBy: HistoryActor | null;
  /** Findings and actions taken; null while open or after erasure. */
  settlement: string | null;
  /** Whether the dispute is open or settled. */
  status: DisputeStatus;
  /** Whether the recipient's authorised representative received it. */
  toRepresentative: boolean;
};
export type DeliveryDisputePage = {
  currentPage: number;
  data: DeliveryDispute[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type PayoutSummary = {
  /** Payout currency, such as `CUP`. */
  currency: CurrencyCode;
  /** Sum of the payouts, in `currency`. */
  payout: Money;
  /** Number of remittances. */
  remittances: number;
};
export type StatusSummary = {
  /** One element per payout currency, ordered by code. */
  payouts: PayoutSummary[];
  /** Number of remittances. */
  remittances: number;
  /** Status: 0 pending, 1 canceled, 2 shipping, 3 completed, 4 error. */
  status: RemittanceStatus;
};
export type RemittanceSummary = {
  /** One row per status, including empty ones. */
  statuses: StatusSummary[];
  /** Number of remittances. */
  total: number;
};
export type RemittanceAmountInput = {
  /** New amount sent, in USD, as a decimal string. */
  amount: MoneyInput;
  /** Figures that the person confirmed. If the command would result in others, it is refused: 409 `quote_changed`. */
  expected?: ExpectedInput;
  /** Id of the new payment group. */
  paymentGroupId: string;
};
export type ChangedRemittance = Remittance & {
  warnings?: Warning[];
};
export type AssignDealerInput = {
  /** Id of an active dealer; outside of its zones the assignment is made with a warning. */
  dealerId: string;
  /** Id of one of the dealer's delivery men; absent leaves it with the dealer. */
  deliveryManId?: string | null;
};
export type AttemptInput = {
  /** Time of an attempt recorded offline, RFC 3339: between the assignment and now, at most 30 days ago. Absent for
    now. */
  attemptedAt?: string | null;
  /** Reason of the failure, such as `nobodyHome`. */
  reason: AttemptReason;
};
export type SettledBreach = {
  /** Id of the remittance. */
  id: string;
};
export type ReasonInput = {
  /** Reason in the caller's words, at most 500 characters. */
  reason: string;
};
export type DisputedDelivery = {
  /** Human number of the remittance, such as `R-000001`. */
  code: string;
  /** Text of the refusal in the caller's language. */
  detail: string;
  /** Id of the remittance. */
  id: string;
  /** Stored proof. */
  proof: RemittanceProof;
  /** Refusal code of the delivery. */
  refused: string;
};
export type CompleteInput = {
  /** Time of an offline delivery, RFC 3339: between the assignment and now, at most 30 days ago. Absent for now. */
  deliveredAt?: string;
  /** Id of the card to which the caller paid; absent for a home delivery. */
  expectedCardId?: string;
  /** Currency of the payout that the caller delivered, such as `CUP`. */
  expectedCurrencyTo?: string;
  /** Payout that the caller delivered, as a decimal. If the remittance has another one by now, the delivery is refused
    (409 `remittance_was_edited`), or stored as a dispute where `orDispute` is true. Likewise for the other `expected`
    fields. Without this one, an offline delivery is compared with what the caller carried at `deliveredAt`. */
  expectedPayout?: string;
  /** Id of the recipient to whom the caller delivered. */
  expectedRecipientId?: string;
  /** Signature of the recipient. */
  firmPicture?: Blob;
  /** Id of a stored file that proves another visible delivery, in place of `firmPicture`. */
  firmPictureId?: string;
  /** Photograph of the identification, or proof of the transfer. */
  identificationDocument?: Blob;
  /** Id of a stored file that proves another visible delivery, in place of `identificationDocument`; for several
    remittances at one door. */
  identificationDocumentId?: string;
  /** Whether it was made offline: `true` or `false`. If the remittance was canceled, reassigned or edited meanwhile, the
    delivery is stored with its proof as a dispute (202) instead of being refused. If it was put in review meanwhile, it
    is completed, and a manager settles that; with `atOnce` it is refused. */
  orDispute?: string;
  /** Whether the recipient's authorised representative received it: `true` or `false`. */
  toRepresentative?: string;
};
export type SettledDispute = {
  /** Id of the remittance. */
  id: string;
  /** Number of the dispute within the remittance, from 1. */
  number: number;
};
export type RemittanceField =
  | "recipient"
  | "deliveryMethod"
  | "address"
  | "province"
  | "municipality"
  | "card"
  | "notes"
  | "reference"
  | "group"
  | "amount"
  | "payout";
export type RemittanceFieldChange = {
  /** Value after the edit. */
  after: string | null;
  /** Value before the edit. */
  before: string | null;
  /** The detail. */
  field: RemittanceField;
};
export type RemittanceHistoryItem = {
  /** Party that did it; all fields null for the system. */
  actor: HistoryActor;
  amount: Money | null;
  approvedBy: Ref | null;
  /** Time of recording, RFC 3339 in UTC. */
  at: string;
  attemptReason: AttemptReason | null;
  /** Kind of the change. */
  change: RemittanceChange;
  /** Details changed by an edit. */
  changes: RemittanceFieldChange[];
  currencyTo: CurrencyCode | null;
  dealer: Ref | null;
  deliveryMan: Ref | null;
  /** Files that a reviewer attached; empty for who sees no files of reviews. */
  files: ReviewFile[];
  fromStatus: RemittanceStatus | null;
  holdReason: PublicHoldReason | null;
  /** Time of an offline act; null when recorded at once. */
  occurred: string | null;
  payout: Money | null;
  /** Position of the event in the tenant's log, from 1. */
  position: number;
  /** Reason given; null when none, or after erasure. */
  reason: string | null;
  /** Refusal code of a disputed delivery; null for other changes. */
  refused: string | null;
  /** Status after the change. */
  status: RemittanceStatus;
};
export type RemittanceHistoryPage = {
  currentPage: number;
  data: RemittanceHistoryItem[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type RemittanceHold = {
  /** Time of the hold, RFC 3339 in UTC. */
  at: string;
  /** Time at which the remittance was canceled or delivered with the hold open; null otherwise. */
  ended: string | null;
  /** Files of the last review. */
  files: ReviewFile[];
  /** Who held it, or whose sale was held; all fields null for the system. */
  heldBy: HistoryActor;
  /** A manager's note; null for other holds, and after erasure. */
  note: string | null;
  /** Number within the remittance, from 1. */
  number: number;
  /** Why it is held. */
  reason: PublicHoldReason;
  /** What found it: the id of the limit rule, or of the customer in review; null for a manager's decision. */
  reference: string | null;
  /** Time of the release; null while it is open. */
  released: string | null;
  /** Reason of the last review; null before the first, and after erasure. */
  review: string | null;
  /** Time of the last review; null before the first. */
  reviewed: string | null;
  reviewedBy: HistoryActor | null;
};
export type RemittanceHolds = {
  /** Oldest first. */
  results: RemittanceHold[];
};
export type HoldReviewInput = {
  /** Ids of files that were uploaded for this review; absent or empty for none. */
  files?: string[] | null;
  /** `release`: the remittance moves again once no hold is open. `keep`: it stays held. */
  outcome: string;
  /** Reason of the decision. */
  reason: string;
};
export type RemittanceTerms = {
  agencyCommission: Commission | null;
  agentCommission: Commission | null;
  /** Currency of the amount sold: always USD. */
  currencyFrom: CurrencyCode;
  /** Currency paid out, such as `CUP`. */
  currencyTo: CurrencyCode;
  /** Exchange rate: units of `currencyTo` per USD. */
  exchangeRate: Decimal;
  /** Name of the payment group. */
  groupName: string;
  /** The manager's commission. */
  managerCommission: ManagerCommission;
  /** Id of the payment group. */
  paymentGroupId: string;
  /** Id of the remittance. */
  remittanceId: string;
};
export type AddresseeReport = {
  currentPage: number;
  data: {
    amount: string | null;
    codes: string | null;
    currency: string | null;
    delivered: number | null;
    identification: string | null;
    last: string | null;
    municipality: string | null;
    payout: string | null;
    phone: string | null;
    province: string | null;
    recipient: string | null;
    recipientId: string | null;
    remittances: number | null;
  }[];
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
  /** One line a currency, over all rows. */
  totals: {
    /** A decimal amount with two decimals. Never a binary float. */
    amount: string;
    /** The code of an entry of the currency nomenclator. */
    currency: string;
    delivered: number;
    /** A decimal amount with two decimals. Never a binary float. */
    payout: string;
    records: number;
    remittances: number;
  }[];
};
export type AgencyReport = {
  currentPage: number;
  data: {
    agency: string | null;
    agent: string | null;
    amount: string | null;
    assignedPercent: string | null;
    code: string | null;
    created: string | null;
    currency: string | null;
    deliveryMethod: ("home" | "card") | null;
    payout: string | null;
    position: number | null;
    recipient: string | null;
    remittanceId: string | null;
    sender: string | null;
    status: (0 | 1 | 2 | 3 | 4) | null;
    toPay: string | null;
    totalToPay: string | null;
  }[];
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
  /** One line a currency, over all rows. */
  totals: {
    /** A decimal amount with two decimals. Never a binary float. */
    amount: string;
    /** The code of an entry of the currency nomenclator. */
    currency: string;
    /** A decimal amount with two decimals. Never a binary float. */
    payout: string;
    records: number;
    /** A decimal amount with two decimals. Never a binary float. */
    toPay: string;
    /** A decimal amount with two decimals. Never a binary float. */
    totalToPay: string;
  }[];
};
export type AttorneyReport = {
  currentPage: number;
  data: {
    code: string | null;
    completed: string | null;
    currency: string | null;
    deliveredBy: string | null;
    identification: string | null;
    municipality: string | null;
    payout: string | null;
    position: number | null;
    province: string | null;
    recipient: string | null;
    remittanceId: string | null;
    representative: string | null;
    representativeIdentification: string | null;
    representativePhone: string | null;
  }[];
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
  /** One line a currency, over all rows. */
  totals: {
    /** The code of an entry of the currency nomenclator. */
    currency: string;
    /** A decimal amount with two decimals. Never a binary float. */
    payout: string;
    records: number;
  }[];
};
export type DistributionAgencyReport = {
  currentPage: number;
  data: {
    currency: string | null;
    dealer: string | null;
    dealerId: string | null;
    delivered: number | null;
    deliveredPayout: string | null;
    distributionFee: string | null;
    error: number | null;
    errorPayout: string | null;
    seller: string | null;
    sellerId: string | null;
    shipping: number | null;
    shippingPayout: string | null;
  }[];
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
  /** One line a currency, over all rows. */
  totals: {
    /** The code of an entry of the currency nomenclator. */
    currency: string;
    delivered: number;
    /** A decimal amount with two decimals. Never a binary float. */
    deliveredPayout: string;
    /** A decimal amount with two decimals. Never a binary float. */
    distributionFee: string;
    error: number;
    /** A decimal amount with two decimals. Never a binary float. */
    errorPayout: string;
    records: number;
    shipping: number;
    /** A decimal amount with two decimals. Never a binary float. */
    shippingPayout: string;
  }[];
};
export type DistributorReport = {
  currentPage: number;
  data: {
    amount: string | null;
    currency: string | null;
    dealer: string | null;
    dealerId: string | null;
    distributionFee: string | null;
    last: string | null;
    payout: string | null;
    remittances: number | null;
    status: (0 | 1 | 2 | 3 | 4) | null;
  }[];
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
  /** One line a currency, over all rows. */
  totals: {
    /** A decimal amount with two decimals. Never a binary float. */
    amount: string;
    /** The code of an entry of the currency nomenclator. */
    currency: string;
    /** A decimal amount with two decimals. Never a binary float. */
    distributionFee: string;
    /** A decimal amount with two decimals. Never a binary float. */
    payout: string;
    records: number;
    remittances: number;
  }[];
};
export type DistributorShippingReport = {
  currentPage: number;
  data: {
    address: string | null;
    assigned: string | null;
    card: string | null;
    cardBrand:
      | (
          | "bandec_mlc"
          | "bm_mlc"
          | "bpa_mlc"
          | "bandec_cup"
          | "bm_cup"
          | "bpa_cup"
        )
      | null;
    code: string | null;
    currency: string | null;
    dealer: string | null;
    dealerId: string | null;
    deliveryMan: string | null;
    deliveryMethod: ("home" | "card") | null;
    identification: string | null;
    municipality: string | null;
    notes: string | null;
    payout: string | null;
    phone: string | null;
    position: number | null;
    province: string | null;
    recipient: string | null;
    remittanceId: string | null;
  }[];
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
  /** One line a currency, over all rows. */
  totals: {
    /** The code of an entry of the currency nomenclator. */
    currency: string;
    /** A decimal amount with two decimals. Never a binary float. */
    payout: string;
    records: number;
  }[];
};
export type HistoryReport = {
  currentPage: number;
  data: {
    actor: string | null;
    amount: string | null;
    at: string | null;
    change:
      | (
          | "created"
          | "detailsEdited"
          | "amountEdited"
          | "assigned"
          | "error"
          | "canceled"
          | "completed"
          | "attempted"
          | "disputed"
          | "disputeSettled"
          | "held"
          | "holdReleased"
          | "holdKept"
          | "deliveredWhileHeld"
          | "holdBreachSettled"
          | "declared"
        )
      | null;
    code: string | null;
    currency: string | null;
    dealer: string | null;
    deliveryMan: string | null;
    deliveryMethod: ("home" | "card") | null;
    fromStatus: (0 | 1 | 2 | 3 | 4) | null;
    payout: string | null;
    position: number | null;
    reason: string | null;
    recipient: string | null;
    remittanceId: string | null;
    sold: number | null;
    toStatus: (0 | 1 | 2 | 3 | 4) | null;
  }[];
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
  /** One line a currency, over all rows. */
  totals: {
    /** A decimal amount with two decimals. Never a binary float. */
    amount: string;
    /** The code of an entry of the currency nomenclator. */
    currency: string;
    /** A decimal amount with two decimals. Never a binary float. */
    payout: string;
    records: number;
  }[];
};
export type HoldsReport = {
  currentPage: number;
  data: {
    amount: string | null;
    canceled: number | null;
    currency: string | null;
    deliveredWhileHeld: number | null;
    held: number | null;
    hours: string | null;
    kept: number | null;
    limitAmount: string | null;
    limitCount: number | null;
    lists: string | null;
    open: number | null;
    paymentGroups: string | null;
    reason: ("limit_rule" | "screening" | "manual") | null;
    released: number | null;
    ruleId: string | null;
    side: ("sender" | "recipient") | null;
    window: ("sale" | "day" | "days7" | "days30" | "days365") | null;
  }[];
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
  /** One line a currency, over all rows. */
  totals: {
    /** A decimal amount with two decimals. Never a binary float. */
    amount: string;
    canceled: number;
    /** The code of an entry of the currency nomenclator. */
    currency: string;
    deliveredWhileHeld: number;
    held: number;
    kept: number;
    open: number;
    records: number;
    released: number;
  }[];
};
export type LargeSumsReport = {
  currentPage: number;
  data: {
    amount: string | null;
    currency: string | null;
    customerId: string | null;
    identification: string | null;
    last: string | null;
    person: string | null;
    phone: string | null;
    remittances: number | null;
    side: ("sender" | "recipient") | null;
  }[];
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
  /** One line a currency, over all rows. */
  totals: {
    /** The code of an entry of the currency nomenclator. */
    currency: string;
    records: number;
  }[];
};
export type RollingDays = "1" | "7" | "30" | "365";
export type PendingDistributorReport = {
  currentPage: number;
  data: {
    currency: string | null;
    dealers: string | null;
    deliveryMethod: ("home" | "card") | null;
    error: number | null;
    municipality: string | null;
    municipalityId: string | null;
    oldest: string | null;
    payout: string | null;
    province: string | null;
    provinceId: string | null;
    remittances: number | null;
    shipping: number | null;
    unassigned: number | null;
  }[];
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
  /** One line a currency, over all rows. */
  totals: {
    /** The code of an entry of the currency nomenclator. */
    currency: string;
    error: number;
    /** A decimal amount with two decimals. Never a binary float. */
    payout: string;
    records: number;
    remittances: number;
    shipping: number;
    unassigned: number;
  }[];
};
export type ScreeningListView = {
  /** Whether customers are screened against it. */
  enabled: boolean;
  /** Number of entries. */
  entries: number;
  /** Whether it is loaded. While one is chosen and not loaded, sales are refused (503 `screening_list_missing`) and nobody is
    cleared, until it is loaded again or no longer chosen. */
  loaded: boolean;
  /** When it was loaded. */
  loadedAt: string | null;
  /** Whether managers loaded it, and may load another version or remove it. */
  managed: boolean;
  name: string;
  /** Number of names. */
  names: number;
  /** Whether it is the tenant's own; otherwise all tenants of the installation may choose it. */
  own: boolean;
  /** Date of publication, as the file has it. */
  published: string | null;
  /** Least likeness of a candidate in percent; the default where it is not chosen. */
  threshold: number;
  /** Start of the digest of its entries; null where it is not loaded. */
  version: string | null;
};
export type ScreeningRun = {
  /** Customers whose candidates changed. */
  changed: number;
  /** When it ended; null while it runs. */
  finishedAt: string | null;
  /** Customers screened so far. */
  screened: number;
  /** When it began. */
  startedAt: string;
  /** Customers in all, when it began or was taken over. */
  total: number;
};
export type ScreeningView = {
  /** Lists that the operator has loaded, the tenant's own ones, and those that are chosen. */
  lists: ScreeningListView[];
  run: ScreeningRun | null;
};
export type ScreeningCase = {
  /** Id and name of the customer; null name after erasure. */
  customer: Ref;
  /** Sender or recipient. */
  customerType: CustomerType;
  /** When one was last decided; null before. */
  decidedAt: string | null;
  decidedBy: Ref | null;
  /** When a screening found them. */
  found: string;
  /** Open remittances of the customer that are held. */
  heldRemittances: number;
  /** Lists of these candidates. */
  lists: string[];
  /** Number of candidates that are not decided. */
  openCandidates: number;
  /** Holds of this match that are open. Where the status is `cleared`, nobody is left to judge, and
    `POST /api/screening/cases/{id}/release` releases them. */
  openHolds: number;
  /** Highest score of the candidates that are left, in percent; null after erasure. */
  score: number | null;
  /** `open` while a candidate is not decided, `confirmed` when all that are left are the same person, `cleared` when none is
    left, `erased` after the customer's erasure. Only a reviewer ends `confirmed`. */
  status: string;
  /** Decisions about this match and releases of these holds that wait for an approval. */
  waitingApprovals: number;
};
export type ScreeningCasePage = {
  currentPage: number;
  data: ScreeningCase[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type PairDecisionView = {
  at: string;
  by: Ref | null;
  /** Files that the reviewer attached. */
  files: ReviewFile[];
  outcome: PublicPairOutcome;
  /** Reason in the reviewer's words. */
  reason: string;
};
export type ListedEntryView = {
  /** Dates, months, years or ranges of birth. */
  born: string[];
  /** Countries of nationality or citizenship. */
  countries: string[];
  /** Document numbers with their kind and country. */
  documents: string[];
  /** Names and aliases. */
  names: string[];
  /** Programs or regulations that list the entry. */
  programs: string[];
};
export type ProposedReview = {
  /** When it was proposed. */
  at: string;
  /** Who proposed it. */
  by: Ref;
  /** From when on it can't be approved. */
  expiresAt: string;
  /** Id of the proposal. */
  id: string;
  remittance: Ref | null;
};
export type ScreeningCandidateView = {
  decision: PairDecisionView | null;
  /** The entry's identifier within the list. */
  entry: string;
  /** Why, by the present data and version of the list; null where they are not alike any more, or the list is gone. */
  explanation: string | null;
  list: string;
  listed: ListedEntryView | null;
  /** The listed name that was most similar when it was found. */
  name: string;
  proposed: ProposedReview | null;
  /** Likeness in percent when it was found. */
  score: number;
};
export type ScreeningCaseDetail = ScreeningCase & {
  /** Candidates: open ones first, best first. */
  candidates: ScreeningCandidateView[];
  person?: Customer | null;
  /** Releases of remittances in review for the match that wait for an approval, oldest first. */
  proposedReleases: ProposedReview[];
};
export type PairDecisionInput = {
  /** The entry's identifier within the list. */
  entry: string;
  /** Ids of files that were uploaded for this review; absent or empty for none. */
  files?: string[] | null;
  /** Name of the list. */
  list: string;
  /** `different`: later screenings leave the pair out. `same`: remittances from and to the customer stay held, until the pair
    is decided otherwise. */
  outcome: PublicPairOutcome;
  /** Reason of the decision in the reviewer's words; stored encrypted, and shown in the case and in dossiers. */
  reason: string;
};
export type ScreeningRuleInput = {
  /** All of them: the threshold of each in percent, 70 to 100, by its name. Empty for no screening. */
  lists: {
    [key: string]: number;
  };
  /** The value of `lists` as the client read it. Lists that are in both with the same threshold, and lists that are in
    neither, stay as they are now. A list that someone else has changed since is refused: 409 `changed_since_read`.
    Absent, the choice is replaced as a whole. */
  was?: object | null;
};
export type OwnListInput = {
  /** The file. */
  file: Blob;
  /** Name of the list: lower-case letters, digits and inner hyphens, at most 40. */
  name: string;
};
export type OwnListWarning = {
  /** `screening_entry_empty`: neither a name nor a document; `screening_born_unknown`: a date of birth that is not understood. */
  code: string;
  /** Text in the caller's language. */
  detail: string;
  /** Line of the file, from 1. */
  line: number;
};
export type OwnListCheck = {
  /** Number of entries. */
  entries: number;
  /** Number of names, with aliases. */
  names: number;
  /** The first entries. */
  sample: ListedEntryView[];
  /** Start of the digest of its entries: the version that it would be. */
  version: string;
  /** Number of all warnings. */
  warned: number;
  /** First 20 lines of which something was left out. */
  warnings: OwnListWarning[];
};
export type OwnListVersion = {
  /** When it was loaded, or the list removed. */
  at: string;
  /** Who did it. */
  by: HistoryActor;
  /** Number of entries. */
  entries: number;
  /** Number of names, with aliases. */
  names: number;
  /** Start of the digest of its entries; null for the removal of the list. */
  version: string | null;
};
export type OwnListVersions = {
  /** Newest first, the newest 50. */
  results: OwnListVersion[];
};
export type PasskeyView = {
  createdAt: string;
  id: string;
  /** Its owner's name for it. */
  name: string;
  /** Time of its last use; null before the first. */
  usedAt: string | null;
};
export type SecondFactor = {
  /** Time at which the authenticator app was enrolled; null without one. */
  enrolledAt: string | null;
  /** Time until which this session's last code is fresh; null when none is, and for another party. */
  freshUntil: string | null;
  /** Whether an authenticator app is enrolled. */
  hasApp: boolean;
  /** Whether logins by password need a second factor: a code, or a passkey in place of both. */
  isEnrolled: boolean;
  /** Whether the party's role needs a second factor. */
  isRequired: boolean;
  /** Passkeys, of the caller alone. */
  passkeys: PasskeyView[];
  /** Recovery codes left; null without a second factor. */
  recoveryCodesLeft: number | null;
};
export type FreshSecondFactorCode = {
  /** Time until which calls that need a fresh code are admitted in this session. */
  freshUntil: string;
};
export type SecondFactorCodeInput = {
  /** Six digits of the authenticator app, or a recovery code; blanks, hyphens and case are ignored. */
  code: string;
};
export type QrImage = {
  /** Its dark modules as the data of an SVG path, one unit per module. */
  path: string;
  /** Modules per side, without the quiet zone of four modules. */
  size: number;
};
export type SecondFactorEnrolment = {
  /** Id of the enrolment, for its confirmation. */
  id: string;
  /** The QR code of `uri`. */
  qr: QrImage;
  /** Secret for the authenticator app, in Base32; shown this once. */
  secret: string;
  /** The same for a QR code, as `otpauth://totp/…`. */
  uri: string;
};
export type SecondFactorEnrolmentInput = {
  /** Current password. */
  password: string;
};
export type SecondFactorRecoveryCodes = {
  /** All ten, shown this once. Null when the confirmation of an enrolment is repeated, or another second factor was there. */
  recoveryCodes: string[] | null;
};
export type PasskeyBeginInput = {
  /** Current password. */
  password: string;
};
export type PasskeyAdded = {
  id: string;
  /** Ten codes, shown this once, with the account's first second factor; null otherwise, and when the call is repeated. */
  recoveryCodes: string[] | null;
};
export type PasskeyInput = {
  /** `response.attestationObject`. */
  attestation: string;
  /** `ceremony` of the begin. */
  ceremony: string;
  /** `response.clientDataJSON`. */
  clientData: string;
  /** Its owner's name for it. */
  name: string;
};
export type OptionalSecondFactorCodeInput = {
  /** Six digits of the authenticator app, or a recovery code. Absent, the session needs a fresh code. */
  code?: string | null;
};
export type Viewer = {
  /** Id of the party. */
  id: string;
  /** Name of the party. */
  name: string;
};
export type Session = {
  /** Address of the client at the last renewal. Null for a session that was last renewed by an earlier version. */
  address: string | null;
  /** Browser, as it describes itself: `chrome`, `edge`, `firefox`, `opera`, `safari`, `samsung` or `other`. Null for a
    session that was last renewed by an earlier version. */
  browser: string | null;
  /** Time of the login. */
  created: string;
  /** Time at which the session ends unless it is renewed. */
  expiresAt: string;
  /** Id of the session, for ending it. */
  id: string;
  /** Whether the call was made with this session. */
  isCurrent: boolean;
  /** Time of the last renewal; a session in use is renewed every 15 minutes. */
  lastUsed: string;
  seenBy: Viewer | null;
  /** Operating system, as the browser describes it: `android`, `chromeos`, `ios`, `linux`, `macos`, `windows` or
    `other`. Null for a session that was last renewed by an earlier version. */
  system: string | null;
};
export type SessionList = {
  /** All of them, 20 at most. */
  results: Session[];
};
export type PasswordPolicyInput = {
  /** `composed`, or `long`. */
  policy: PasswordKind;
  /** Previous value, as the client read it. If someone else has changed it since, the change is refused: 409
    `changed_since_read`. */
  was?: object | null;
};
export type SecondFactorRoles = {
  codeFrom: Money | null;
  /** All of them. */
  roles: PublicRole[];
};
export type SecondFactorRuleInput = {
  codeFrom?: MoneyInput | null;
  /** All of them; empty for none. */
  roles: PublicRole[];
  /** Previous values of the sent fields, as the client read them. With `was`, absent fields stay unchanged, and a field that
    someone else has changed since is refused: 409 `changed_since_read`. */
  was?: object | null;
};
export type SignOnSettings = {
  /** Client id of this installation at the provider; null without a provider. */
  clientId: string | null;
  /** Whether logins by it are admitted. */
  isEnabled: boolean;
  /** URL of the issuer; null without a provider. */
  issuer: string | null;
  /** Path to which the provider leads back, on this installation's address. */
  returnPath: string;
};
export type SignOnProviderInput = {
  /** Client id of this installation at the provider. */
  clientId: string;
  /** Client secret; absent to keep the present one of the same issuer. */
  clientSecret?: string | null;
  /** Whether logins by it are admitted; true when absent. */
  isEnabled?: boolean;
  /** URL of the issuer, as its discovery document says it. */
  issuer: string;
  /** Previous values of the sent fields other than the secret, as the client read them. With `was`, absent fields stay
    unchanged, and a field that someone else has changed since is refused: 409 `changed_since_read`. */
  was?: object | null;
};
export type DebitOrigin = "assignment" | "closure";
export type DebitStatus = "open" | "settled" | "void";
export type Debit = {
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RowAction[];
  /** Original amount, in USD. */
  amount: Money;
  /** Time of opening, RFC 3339 in UTC. */
  created: string;
  creditor: Ref | null;
  /** Id and name of the party that owes; null name after erasure. */
  debtor: Ref;
  /** UUID. */
  id: string;
  /** Cause of the debit. */
  origin: DebitOrigin;
  /** Id of the movement or closure that opened it. */
  originId: string;
  /** Amount outstanding, in USD; 0 when void. */
  outstanding: Money;
  /** Amount paid, in USD. */
  paid: Money;
  /** Time of the payment in full; null while open or void. */
  settled: string | null;
  /** Whether something is outstanding, all is paid, or the movement that opened it was reversed. */
  status: DebitStatus;
};
export type DebitPage = {
  currentPage: number;
  data: Debit[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type DepositInput = {
  /** Amount, above 0, as a decimal string such as `100.00`. */
  amount: MoneyInput;
  /** Currency of the cash, such as `CUP`; required for cash. */
  currency?: string;
  /** Figures that the person confirmed. If the command would result in others, it is refused: 409 `quote_changed`. */
  expected?: ExpectedInput;
  /** Note, at most 300 characters. */
  note?: string | null;
  /** Whether the seller owes the value instead of paying it now; false by default. */
  onCredit?: boolean;
  /** Payment group of the balance; required for a seller. */
  paymentGroupId?: string;
};
export type PayDebitsInput = {
  /** Amount paid, in USD; absent pays all of them in full. */
  amount?: MoneyInput;
  /** Ids of the debits, each once; at most 200. */
  debitIds: string[];
  /** Figures that the person confirmed. If the command would result in others, it is refused: 409 `quote_changed`. */
  expected?: ExpectedInput;
  /** Note, at most 300 characters. */
  note?: string | null;
};
export type User = {
  /** End of the access of a member of the office; null for no end. */
  accessExpiresAt: string | null;
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RowAction[];
  agentType: AgentType | null;
  /** Time of creation, RFC 3339 in UTC. */
  created: string;
  /** E-mail address of the login; unique in the tenant. */
  email: string;
  /** UUID. */
  id: string;
  /** Whether it can log in and be named by new commands. */
  isActive: boolean;
  /** Time of the last login or session renewal; null before the first. */
  lastAccess: string | null;
  /** Name; empty after erasure. */
  name: string;
  /** Agency of an agent, or dealer of a delivery man; null for others. */
  ownerId: string | null;
  /** Name of the agency of an agent, or of the dealer of a delivery man; null for others. */
  ownerName: string | null;
  /** Permission set of a member of the office: the name of a template, or the id of one of the tenant's sets. Null for a
    full manager, and for other roles. */
  permissionSet: string | null;
  /** Telephone number in E.164, such as `+5352345678`. */
  phone: string | null;
  /** URL path of the profile picture; null when there is none. */
  profilePicture: string | null;
  /** Time of the last change, RFC 3339 in UTC. */
  updated: string;
  /** Role of the party. */
  userType: UserType;
};
export type UserPage = {
  currentPage: number;
  data: User[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type UserInput = {
  /** From this moment on the login has no access, RFC 3339; absent for no end. */
  accessExpiresAt?: string | null;
  /** E-mail address of the login; unique in the tenant. */
  email: string;
  /** Whether it can log in; true when absent. */
  isActive?: boolean;
  /** Name, at most 120 characters. */
  name: string;
  /** By the tenant's policy: 8 to 15 characters with a digit, a special character, an upper and a lower case letter and
    no blanks; or 12 to 128 of any kind. */
  password: string;
  /** Permission set of a member of the office: the name of a template, or the id of one of the tenant's sets. Absent for a
    full manager. */
  permissionSet?: string | null;
  /** Telephone number in E.164, such as `+5352345678`. */
  phone?: string | null;
};
export type ChangePasswordInput = {
  /** E-mail address of the caller's login; must equal the path's. */
  email: string;
  /** By the tenant's policy: 8 to 15 characters with a digit, a special character, an upper and a lower case letter and
    no blanks; or 12 to 128 of any kind. */
  newPassword: string;
  /** Current password. */
  oldPassword: string;
};
export type ProfileInput = {
  /** E-mail address of the login; a change requires `oldPassword`. */
  email?: string;
  /** Name, at most 120 characters. */
  name?: string;
  /** Current password; required to change the address. */
  oldPassword?: string | null;
  /** Id or URL path of a file uploaded by the caller; null removes the picture. */
  profilePicture?: string | null;
  /** Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    refused: 409 `changed_since_read`. */
  was?: object | null;
};
export type ResetPasswordInput = {
  /** Digits of the mailed code; blanks and hyphens are ignored. */
  code: string;
  /** By the tenant's policy: 8 to 15 characters with a digit, a special character, an upper and a lower case letter and
    no blanks; or 12 to 128 of any kind. */
  password: string;
};
export type UserChangeInput = {
  /** E-mail address of the login; unique in the tenant. */
  email?: string;
  /** Whether it can log in and be named by new commands. */
  isActive?: boolean;
  /** Name, at most 120 characters. */
  name?: string;
  /** New password; ends the party's sessions. */
  password?: string | null;
  /** Telephone number in E.164; null removes it. */
  phone?: string | null;
  /** Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    refused: 409 `changed_since_read`. */
  was?: object | null;
};
export type OfficeAccessInput = {
  /** From this moment on the login has no access, RFC 3339; null for no end. */
  accessExpiresAt?: string | null;
  /** Name of a template, or id of one of the tenant's sets; null permits everything. */
  permissionSet?: string | null;
  /** Previous values of the sent fields, as the client read them. With `was`, absent fields stay unchanged, and a field that
    someone else has changed since is refused: 409 `changed_since_read`. Without it, the access is replaced as a whole. */
  was?: object | null;
};
export type ViewingToken = {
  /** Bearer token that reads as the party. It can't be renewed. */
  accessToken: string;
  /** Time at which it ends. */
  expiresAt: string;
  /** Name of the party. */
  name: string;
};
export type Webhook = {
  /** Actions on this row: whether the caller may perform each now, and otherwise the refusal code. */
  actions: RowAction[];
  /** Failed attempts at the next event; 0 when the last delivery was accepted. */
  attempts: number;
  /** Time when it was added, RFC 3339 in UTC. */
  created: string;
  createdBy: Ref | null;
  /** Position through which events were delivered or passed over; null before the first look. */
  deliveredThrough: number | null;
  /** Time since when no delivery is accepted; null when the last one was. */
  failingSince: string | null;
  /** UUID. */
  id: string;
  /** What the endpoint is for; null after the erasure of its party. */
  name: string | null;
  /** Time of the next attempt; null unless deliveries fail. */
  nextTry: string | null;
  /** Party in whose scope the events are. */
  party: Ref;
  /** Time since when nothing is sent; null while active. */
  pausedAt: string | null;
  /** Time until which the secret before the last rotation signs too; null before the first rotation. */
  previousUntil: string | null;
  /** Time of the last rotation of its secret; null before the first. */
  rotatedAt: string | null;
  /** `active`; `paused` by somebody; `gone`: it answered 410; `failing`: it accepted nothing for three days. */
  status: string;
  /** Types of events that are sent; empty for all. */
  types: string[];
  /** Where deliveries are sent; null after the erasure of its party. */
  url: string | null;
  /** Role of the party. */
  userType: UserType;
};
export type WebhookPage = {
  currentPage: number;
  data: Webhook[];
  /** Set where a search was for what very many rows have: only the newest were looked through and counted. */
  isPartial?: boolean;
  itemsPerPage: number;
  totalPages: number;
  totalRecords: number;
};
export type WebhookWithSecret = {
  /** The secret that signs deliveries, for the Standard Webhooks libraries. It is answered once: null when the request
    is repeated under the same idempotency key. */
  secret: string | null;
  /** The endpoint. */
  webhook: Webhook;
};
export type WebhookInput = {
  /** Position after which events are sent; 0 for all that there ever were, absent for those from now on. */
  after?: number | null;
  /** Purpose of the endpoint, such as `Online shop`. */
  name: string;
  /** Party in whose scope the events are; absent for the caller. Only managers add endpoints for others. */
  partyId?: string | null;
  /** Types of events, as `GET /api/feed/types` lists them; absent or empty for all, also future ones. */
  types?: string[] | null;
  /** Where deliveries are sent: `https://`, at a public address. */
  url: string;
};
export type WebhookChangeInput = {
  /** Purpose of the endpoint, such as `Online shop`. */
  name: string;
  /** Types of events; absent or empty for all. */
  types?: string[] | null;
  /** Where deliveries are sent: `https://`, at a public address. */
  url: string;
  /** Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    refused: 409 `changed_since_read`. */
  was?: object | null;
};
export type WebhookDelivery = {
  /** Start of the answer's body; null without one, and once a person of the business was forgotten after it: it may
    repeat what was sent. */
  answer: string | null;
  /** Time of the last attempt, RFC 3339 in UTC. */
  at: string;
  /** Number of attempts. */
  attempts: number;
  /** Whether it was accepted: an answer of 200 to 299. */
  delivered: boolean;
  /** Id of the event and of the delivery: the header `webhook-id`. */
  eventId: string;
  /** Type of the event in the public feed. */
  eventType: string;
  /** Why there is no answer: `address_not_public`, `name_not_found`, `connection_failed`, `timed_out`, `answer_broken`
    or `event_gone`; null with one. */
  failure: string | null;
  /** Duration of the last attempt. */
  milliseconds: number;
  /** Position of the event in the log. */
  position: number;
  /** Status of the answer; null without one. */
  status: number | null;
};
export type WebhookDeliveries = {
  /** The newest 200, newest first. */
  results: WebhookDelivery[];
};
export type WebhookDeliveryDetail = {
  /** The delivery as in the list. */
  delivery: WebhookDelivery;
  event: PublicEvent | null;
};
export type WebhookReplayInput = {
  /** Position after which events are sent again; 0 for all. */
  after: number;
};
export type WebhookRotationInput = {
  /** Hours in which deliveries are signed by the secret before too; 0 for none, 24 when absent. */
  overlapHours?: number | null;
};
export const {
  useListAccountBalancesQuery,
  useLazyListAccountBalancesQuery,
  useListClosuresQuery,
  useLazyListClosuresQuery,
  useClosePeriodMutation,
  useGetClosureQuery,
  useLazyGetClosureQuery,
  useGetClosureStatementQuery,
  useLazyGetClosureStatementQuery,
  useListEntriesQuery,
  useLazyListEntriesQuery,
  useExportLedgerQuery,
  useLazyExportLedgerQuery,
  useListPartyBalancesQuery,
  useLazyListPartyBalancesQuery,
  useListRealBalancesQuery,
  useLazyListRealBalancesQuery,
  useListAgenciesQuery,
  useLazyListAgenciesQuery,
  useCreateAgencyMutation,
  useUpdateAgencyMutation,
  useListAgencyBalanceAssignmentsQuery,
  useLazyListAgencyBalanceAssignmentsQuery,
  useSetAgencyTermsMutation,
  useGetAgencyQuery,
  useLazyGetAgencyQuery,
  useDeactivateAgencyMutation,
  useListAgentsQuery,
  useLazyListAgentsQuery,
  useCreateAgentMutation,
  useListAgentBalanceAssignmentsQuery,
  useLazyListAgentBalanceAssignmentsQuery,
  useSetAgentTermsMutation,
  useGetAgentQuery,
  useLazyGetAgentQuery,
  useUpdateAgentMutation,
  useListApprovalRulesQuery,
  useLazyListApprovalRulesQuery,
  useAddApprovalRuleMutation,
  useListCaughtCommandsQuery,
  useLazyListCaughtCommandsQuery,
  useRemoveApprovalRuleMutation,
  useChangeApprovalRuleMutation,
  useGetCheckpointQuery,
  useLazyGetCheckpointQuery,
  useListCheckpointsQuery,
  useLazyListCheckpointsQuery,
  useTakeCheckpointMutation,
  useGetConsistencyQuery,
  useLazyGetConsistencyQuery,
  useGetContinuousVerificationQuery,
  useLazyGetContinuousVerificationQuery,
  useListAuditEventsQuery,
  useLazyListAuditEventsQuery,
  useGetAuditEventQuery,
  useLazyGetAuditEventQuery,
  useGetCheckpointKeysQuery,
  useLazyGetCheckpointKeysQuery,
  useListLateChangesQuery,
  useLazyListLateChangesQuery,
  useExportLogQuery,
  useLazyExportLogQuery,
  useGetProofQuery,
  useLazyGetProofQuery,
  useGetQuarantineQuery,
  useLazyGetQuarantineQuery,
  useListReadingsQuery,
  useLazyListReadingsQuery,
  useGetTimelineQuery,
  useLazyGetTimelineQuery,
  useGetVerificationQuery,
  useLazyGetVerificationQuery,
  useStartVerificationMutation,
  useLoginMutation,
  useLogoutMutation,
  useGetLoginOptionsQuery,
  useLazyGetLoginOptionsQuery,
  useBeginPasskeyLoginMutation,
  useFinishPasskeyLoginMutation,
  useBeginSignOnMutation,
  useFinishSignOnMutation,
  useRefreshTokenMutation,
  useCreateCustomerMutation,
  useAddCardMutation,
  useListExpiringDocumentsQuery,
  useLazyListExpiringDocumentsQuery,
  useListRecipientsQuery,
  useLazyListRecipientsQuery,
  useListSendersQuery,
  useLazyListSendersQuery,
  useUpdateCustomerMutation,
  useListCardsQuery,
  useLazyListCardsQuery,
  useGetCustomerQuery,
  useLazyGetCustomerQuery,
  useUploadDocumentFileMutation,
  useGetDocumentPicturesQuery,
  useLazyGetDocumentPicturesQuery,
  useRecordDocumentPicturesMutation,
  useExportDossierMutation,
  useGetDossierQuery,
  useLazyGetDossierQuery,
  useGetRemittanceTotalsQuery,
  useLazyGetRemittanceTotalsQuery,
  usePreviewAgencyClosuresQuery,
  useLazyPreviewAgencyClosuresQuery,
  useListSellerRemittancesQuery,
  useLazyListSellerRemittancesQuery,
  usePreviewAgentClosuresQuery,
  useLazyPreviewAgentClosuresQuery,
  useGetAttentionQuery,
  useLazyGetAttentionQuery,
  useListDealerClosingsQuery,
  useLazyListDealerClosingsQuery,
  useListDealerSalesQuery,
  useLazyListDealerSalesQuery,
  useGetRemittanceStatisticsQuery,
  useLazyGetRemittanceStatisticsQuery,
  useListSalesQuery,
  useLazyListSalesQuery,
  useListDealersQuery,
  useLazyListDealersQuery,
  useCreateDealerMutation,
  useUpdateNamedDealerMutation,
  useListDealerBalanceAssignmentsQuery,
  useLazyListDealerBalanceAssignmentsQuery,
  useListDailyCreditQuery,
  useLazyListDailyCreditQuery,
  useListDealerDirectoryQuery,
  useLazyListDealerDirectoryQuery,
  useRecordDealerExpenseMutation,
  useGetDealerListReportQuery,
  useLazyGetDealerListReportQuery,
  useTransferDealerCashMutation,
  useUpdateDealerMutation,
  useCreateDeliveryManMutation,
  useUpdateDeliveryManMutation,
  useListNewsQuery,
  useLazyListNewsQuery,
  useReadFeedQuery,
  useLazyReadFeedQuery,
  useListFeedTypesQuery,
  useLazyListFeedTypesQuery,
  useUploadFileMutation,
  useListImportsQuery,
  useLazyListImportsQuery,
  useUploadImportMutation,
  useListImportKindsQuery,
  useLazyListImportKindsQuery,
  useGetImportQuery,
  useLazyGetImportQuery,
  useCancelImportMutation,
  useExportImportErrorsQuery,
  useLazyExportImportErrorsQuery,
  useSetImportMappingMutation,
  usePauseImportMutation,
  usePreviewImportMutation,
  useUploadImportProofsMutation,
  useResumeImportMutation,
  useListImportRowsQuery,
  useLazyListImportRowsQuery,
  useChangeImportRowMutation,
  useStartImportMutation,
  useListApiKeysQuery,
  useLazyListApiKeysQuery,
  useIssueApiKeyMutation,
  useListApiKeyScopesQuery,
  useLazyListApiKeyScopesQuery,
  useRevokeApiKeyMutation,
  useRotateApiKeyMutation,
  useListLimitRulesQuery,
  useLazyListLimitRulesQuery,
  useAddLimitRuleMutation,
  useRemoveLimitRuleMutation,
  useChangeLimitRuleMutation,
  useBusinessMetricsQuery,
  useLazyBusinessMetricsQuery,
  useListCitiesQuery,
  useLazyListCitiesQuery,
  useListCountriesQuery,
  useLazyListCountriesQuery,
  useListMunicipalitiesQuery,
  useLazyListMunicipalitiesQuery,
  useListProvincesQuery,
  useLazyListProvincesQuery,
  useListCurrenciesQuery,
  useLazyListCurrenciesQuery,
  useCreateCurrencyMutation,
  useDeleteCurrencyMutation,
  useUpdateCurrencyMutation,
  useUpdateMunicipalityMutation,
  useDeleteNamedPaymentGroupMutation,
  useListPaymentGroupsQuery,
  useLazyListPaymentGroupsQuery,
  useCreatePaymentGroupMutation,
  useUpdateNamedPaymentGroupMutation,
  useDeletePaymentGroupMutation,
  useUpdatePaymentGroupMutation,
  useUpdateProvinceMutation,
  useListStatesQuery,
  useLazyListStatesQuery,
  useListPermissionSetsQuery,
  useLazyListPermissionSetsQuery,
  useAddPermissionSetMutation,
  useRemovePermissionSetMutation,
  useChangePermissionSetMutation,
  useListProposalsQuery,
  useLazyListProposalsQuery,
  useGetProposalQuery,
  useLazyGetProposalQuery,
  useApproveProposalMutation,
  useRejectProposalMutation,
  useWithdrawProposalMutation,
  useListTodaysRatesQuery,
  useLazyListTodaysRatesQuery,
  useListRateChangesQuery,
  useLazyListRateChangesQuery,
  useChangeRatesMutation,
  useGetRateChangeQuery,
  useLazyGetRateChangeQuery,
  useUndoRateChangeMutation,
  useListRemittancesQuery,
  useLazyListRemittancesQuery,
  useCreateRemittanceMutation,
  useAssignDealerInBulkMutation,
  useListDealerDeskMutation,
  useUpdateRemittanceDetailsMutation,
  useListDeliveryDisputesQuery,
  useLazyListDeliveryDisputesQuery,
  useGetQuoteQuery,
  useLazyGetQuoteQuery,
  useSummarizeRemittancesQuery,
  useLazySummarizeRemittancesQuery,
  useGetRemittanceQuery,
  useLazyGetRemittanceQuery,
  useUpdateRemittanceAmountMutation,
  useAssignDealerMutation,
  useRecordDeliveryAttemptMutation,
  useSettleHoldBreachMutation,
  useCancelRemittanceMutation,
  useCompleteRemittanceMutation,
  useSettleDeliveryDisputeMutation,
  useMarkRemittanceErrorMutation,
  useListRemittanceHistoryQuery,
  useLazyListRemittanceHistoryQuery,
  useListRemittanceHoldsQuery,
  useLazyListRemittanceHoldsQuery,
  useHoldRemittanceMutation,
  useUploadHoldFileMutation,
  useReviewRemittanceHoldMutation,
  useGetRemittanceTermsQuery,
  useLazyGetRemittanceTermsQuery,
  useGetRemittanceProofQuery,
  useLazyGetRemittanceProofQuery,
  useGetRemittanceReceiptQuery,
  useLazyGetRemittanceReceiptQuery,
  useGetAddresseeReportQuery,
  useLazyGetAddresseeReportQuery,
  useGetAgencyReportQuery,
  useLazyGetAgencyReportQuery,
  useGetAttorneyReportQuery,
  useLazyGetAttorneyReportQuery,
  useGetDistributionAgencyReportQuery,
  useLazyGetDistributionAgencyReportQuery,
  useGetDistributorReportQuery,
  useLazyGetDistributorReportQuery,
  useGetDistributorShippingReportQuery,
  useLazyGetDistributorShippingReportQuery,
  useGetHistoryReportQuery,
  useLazyGetHistoryReportQuery,
  useGetHoldsReportQuery,
  useLazyGetHoldsReportQuery,
  useGetLargeSumsReportQuery,
  useLazyGetLargeSumsReportQuery,
  useGetPendingDistributorReportQuery,
  useLazyGetPendingDistributorReportQuery,
  useGetScreeningQuery,
  useLazyGetScreeningQuery,
  useListScreeningCasesQuery,
  useLazyListScreeningCasesQuery,
  useGetScreeningCaseQuery,
  useLazyGetScreeningCaseQuery,
  useDecideScreeningPairMutation,
  useUploadScreeningFileMutation,
  useReleaseScreeningHoldsMutation,
  useSetScreeningListsMutation,
  useLoadOwnScreeningListMutation,
  useCheckOwnScreeningListMutation,
  useRemoveOwnScreeningListMutation,
  useListOwnScreeningListVersionsQuery,
  useLazyListOwnScreeningListVersionsQuery,
  useGetSecondFactorQuery,
  useLazyGetSecondFactorQuery,
  useGiveSecondFactorCodeMutation,
  useBeginSecondFactorEnrolmentMutation,
  useConfirmSecondFactorEnrolmentMutation,
  useBeginPasskeyConfirmationMutation,
  useFinishPasskeyConfirmationMutation,
  useBeginPasskeyMutation,
  useFinishPasskeyMutation,
  useRemovePasskeyMutation,
  useRenewRecoveryCodesMutation,
  useRemoveSecondFactorMutation,
  useEndSessionsMutation,
  useListSessionsQuery,
  useLazyListSessionsQuery,
  useEndSessionMutation,
  useSetPasswordPolicyMutation,
  useGetSecondFactorRolesQuery,
  useLazyGetSecondFactorRolesQuery,
  useSetSecondFactorRolesMutation,
  useRemoveSignOnMutation,
  useGetSignOnQuery,
  useLazyGetSignOnQuery,
  useSetSignOnMutation,
  useListDebitsQuery,
  useLazyListDebitsQuery,
  useDepositToAgencyMutation,
  useDepositToAgentMutation,
  useDepositToDealerMutation,
  useDepositToDeliveryManMutation,
  useDepositToManagerMutation,
  useDepositToPartyMutation,
  useListMovementsQuery,
  useLazyListMovementsQuery,
  useGetMovementQuery,
  useLazyGetMovementQuery,
  useGetMovementReceiptQuery,
  useLazyGetMovementReceiptQuery,
  useReverseMovementMutation,
  usePayDebitsMutation,
  useListUsersQuery,
  useLazyListUsersQuery,
  useCreateUserMutation,
  useChangePasswordMutation,
  useForgotPasswordMutation,
  useGetProfileQuery,
  useLazyGetProfileQuery,
  useUpdateProfileMutation,
  useResetPasswordMutation,
  useDeleteUserMutation,
  useGetUserQuery,
  useLazyGetUserQuery,
  useUpdateUserMutation,
  useSetOfficeAccessMutation,
  useResetSecondFactorMutation,
  useUnbindSignOnMutation,
  useBeginViewingMutation,
  useEndViewingMutation,
  useListWebhooksQuery,
  useLazyListWebhooksQuery,
  useAddWebhookMutation,
  useRemoveWebhookMutation,
  useChangeWebhookMutation,
  useListWebhookDeliveriesQuery,
  useLazyListWebhookDeliveriesQuery,
  useGetWebhookDeliveryQuery,
  useLazyGetWebhookDeliveryQuery,
  useSendWebhookAgainMutation,
  usePauseWebhookMutation,
  useReplayWebhookMutation,
  useResumeWebhookMutation,
  useRotateWebhookSecretMutation,
} = injectedRtkApi;
