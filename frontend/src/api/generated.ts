import { rootApi as api } from "./root";
export const addTagTypes = [
  "Accounting",
  "Closures",
  "Documents",
  "Agencies",
  "Agents",
  "Audit",
  "Session",
  "Customers",
  "Dashboard",
  "Dealers",
  "Movements",
  "Live",
  "Files",
  "World",
  "Places",
  "Currencies",
  "PaymentGroups",
  "Rates",
  "Remittances",
  "Quotes",
  "Reports",
  "Debits",
  "Users",
  "Profile",
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
      uploadFile: build.mutation<UploadFileApiResponse, UploadFileApiArg>({
        query: (queryArg) => ({
          url: `/api/files/uploadfile`,
          method: "POST",
          body: queryArg.uploadInput,
        }),
        invalidatesTags: ["Files"],
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
    }),
    overrideExisting: false,
  });
export { injectedRtkApi as generatedApi };
export type ListAccountBalancesApiResponse =
  /** status 200 A page, and the totals of all pages. */ AccountBalancePage;
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
  format?: "csv" | "xlsx" | "pdf";
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
export type ListClosuresApiResponse = /** status 200 A page. */ ClosurePage;
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
  format?: "csv" | "xlsx" | "pdf";
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
export type ClosePeriodApiResponse = /** status 201 Closed. */ Closure;
export type ClosePeriodApiArg = {
  closureInput: ClosureInput;
};
export type GetClosureApiResponse = /** status 200 It. */ Closure;
export type GetClosureApiArg = {
  id: string;
};
export type GetClosureStatementApiResponse = /** status 200 It. */ PdfFile;
export type GetClosureStatementApiArg = {
  id: string;
};
export type ListEntriesApiResponse = /** status 200 A page. */ LedgerEntryPage;
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
  format?: "csv" | "xlsx" | "pdf";
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
export type ExportLedgerApiResponse = /** status 200 It. */ number[];
export type ExportLedgerApiArg = {
  /** A program's journal, or a table. */
  format: "hledger" | "beancount" | "csv" | "xlsx";
};
export type ListPartyBalancesApiResponse =
  /** status 200 A page. */ PartyBalancePage;
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
  format?: "csv" | "xlsx" | "pdf";
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
  /** status 200 A page, and the total in USD. */ RealBalancePage;
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
  format?: "csv" | "xlsx" | "pdf";
  /** As of this moment; now where absent. */
  at?: string;
  /** As of the event at this position; now where absent. */
  position?: number;
  /** Of this currency. */
  currency?: string;
};
export type ListAgenciesApiResponse = /** status 200 A page. */ AgencyPage;
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
  format?: "csv" | "xlsx" | "pdf";
  /** A text to search for. */
  query?: string;
  /** Whether they may be used. */
  isActive?: boolean;
  /** The deleted alone, or all others, as where absent. */
  deleted?: boolean;
};
export type CreateAgencyApiResponse = /** status 201 Added. */ Created;
export type CreateAgencyApiArg = {
  agencyInput: AgencyInput;
};
export type UpdateAgencyApiResponse = /** status 200 Changed. */ Agency;
export type UpdateAgencyApiArg = {
  agencyChangeInput: AgencyChangeInput;
};
export type ListAgencyBalanceAssignmentsApiResponse =
  /** status 200 A page. */ MovementPage;
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
  format?: "csv" | "xlsx" | "pdf";
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
export type SetAgencyTermsApiResponse = /** status 200 Set. */ Agency;
export type SetAgencyTermsApiArg = {
  id: string;
  termsInput: TermsInput;
};
export type GetAgencyApiResponse = /** status 200 It. */ Agency;
export type GetAgencyApiArg = {
  id: string;
};
export type DeactivateAgencyApiResponse = /** status 200 Deactivated. */ Agency;
export type DeactivateAgencyApiArg = {
  id: string;
};
export type ListAgentsApiResponse = /** status 200 A page. */ AgentPage;
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
  format?: "csv" | "xlsx" | "pdf";
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
export type CreateAgentApiResponse = /** status 201 Added. */ Created;
export type CreateAgentApiArg = {
  agentInput: AgentInput;
};
export type ListAgentBalanceAssignmentsApiResponse =
  /** status 200 A page. */ MovementPage;
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
  format?: "csv" | "xlsx" | "pdf";
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
export type SetAgentTermsApiResponse = /** status 200 Set. */ Agent;
export type SetAgentTermsApiArg = {
  id: string;
  termsInput: TermsInput;
};
export type GetAgentApiResponse = /** status 200 It. */ Agent;
export type GetAgentApiArg = {
  id: string;
};
export type UpdateAgentApiResponse = /** status 200 Changed. */ Agent;
export type UpdateAgentApiArg = {
  id: string;
  agentChangeInput: AgentChangeInput;
};
export type GetCheckpointApiResponse = /** status 200 It. */ SignedCheckpoint;
export type GetCheckpointApiArg = void;
export type ListCheckpointsApiResponse =
  /** status 200 Them. */ KeptCheckpoints;
export type ListCheckpointsApiArg = void;
export type TakeCheckpointApiResponse = /** status 201 It. */ KeptCheckpoint;
export type TakeCheckpointApiArg = void;
export type GetConsistencyApiResponse =
  /** status 200 The consistency file. */ ConsistencyFile;
export type GetConsistencyApiArg = {
  /** The earlier position; 0 is the empty log. */
  from: number;
  /** The later position. */
  to: number;
};
export type GetContinuousVerificationApiResponse =
  /** status 200 What is known. */ ContinuousVerification | null;
export type GetContinuousVerificationApiArg = void;
export type ListAuditEventsApiResponse =
  /** status 200 A page. */ AuditEventPage;
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
  format?: "csv" | "xlsx" | "pdf";
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
export type GetAuditEventApiResponse = /** status 200 It. */ AuditEventDetails;
export type GetAuditEventApiArg = {
  position: number;
};
export type GetCheckpointKeysApiResponse =
  /** status 200 Them. */ CheckpointKeys;
export type GetCheckpointKeysApiArg = void;
export type GetProofApiResponse = /** status 200 The proof file. */ ProofFile;
export type GetProofApiArg = {
  position: number;
};
export type GetQuarantineApiResponse =
  /** status 200 The state. */ QuarantineState;
export type GetQuarantineApiArg = void;
export type GetTimelineApiResponse = /** status 200 It. */ Timeline;
export type GetTimelineApiArg = {
  type: StreamKind;
  id: string;
  /** Through this position; all of it where absent. */
  position?: number;
  /** Through this moment. */
  at?: string;
};
export type GetVerificationApiResponse =
  /** status 200 It. */ VerificationRun | null;
export type GetVerificationApiArg = void;
export type StartVerificationApiResponse =
  /** status 202 It has begun. */ VerificationRun;
export type StartVerificationApiArg = void;
export type LoginApiResponse = /** status 200 Logged in. */ Login;
export type LoginApiArg = {
  loginRequest: LoginRequest;
};
export type LogoutApiResponse = unknown;
export type LogoutApiArg = void;
export type RefreshTokenApiResponse =
  /** status 200 The next token. */ AccessToken;
export type RefreshTokenApiArg = void;
export type CreateCustomerApiResponse = /** status 201 Added. */ Created;
export type CreateCustomerApiArg = {
  customerInput: CustomerInput;
};
export type AddCardApiResponse = /** status 201 Added. */ Card;
export type AddCardApiArg = {
  addCardInput: AddCardInput;
};
export type ListRecipientsApiResponse = /** status 200 A page. */ CustomerPage;
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
  format?: "csv" | "xlsx" | "pdf";
  /** A text to search for. */
  name?: string;
  /** Of this sender. */
  senderId?: string;
  /** Of this agency, or agent with none. */
  agencyId?: string;
  /** Whether they may be used. */
  isActive?: boolean;
};
export type ListSendersApiResponse = /** status 200 A page. */ CustomerPage;
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
  format?: "csv" | "xlsx" | "pdf";
  /** A text to search for. */
  name?: string;
  /** Of this sender. */
  senderId?: string;
  /** Of this agency, or agent with none. */
  agencyId?: string;
  /** Whether they may be used. */
  isActive?: boolean;
};
export type UpdateCustomerApiResponse = /** status 200 Changed. */ Customer;
export type UpdateCustomerApiArg = {
  id: string;
  customerInput: CustomerInput;
};
export type ListCardsApiResponse = /** status 200 A page. */ CardPage;
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
  format?: "csv" | "xlsx" | "pdf";
  id: string;
};
export type GetCustomerApiResponse = /** status 200 It. */ Customer;
export type GetCustomerApiArg = {
  id: string;
};
export type GetRemittanceTotalsApiResponse =
  /** status 200 One row a currency. */ RemittanceTotals;
export type GetRemittanceTotalsApiArg = {
  /** Sold with this agency. */
  agencyId?: string;
  /** Paid out in this currency. */
  currency?: string;
  /** The first day; with a last one alone the beginning. */
  initDate?: string;
  /** The last day; with a first one alone until now. */
  finalDate?: string;
  /** A span around today where no day is named; today where absent. */
  rangeSelector?: RangeSelector;
};
export type PreviewAgencyClosuresApiResponse =
  /** status 200 A page. */ ClosurePreviewPage;
export type PreviewAgencyClosuresApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf";
  /** A text to search for. */
  query?: string;
  /** Of this seller. */
  partyId?: string;
  /** Of this agency's agents. */
  agencyId?: string;
  agencyReportInput: AgencyReportInput;
};
export type ListSellerRemittancesApiResponse =
  /** status 200 A page. */ SellerRemittancesPage;
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
  format?: "csv" | "xlsx" | "pdf";
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
  /** status 200 A page. */ ClosurePreviewPage;
export type PreviewAgentClosuresApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf";
  /** A text to search for. */
  query?: string;
  /** Of this seller. */
  partyId?: string;
  /** Of this agency's agents. */
  agencyId?: string;
  agentReportInput: AgentReportInput;
};
export type GetAttentionApiResponse =
  /** status 200 At most 5 of each kind. */ Attention;
export type GetAttentionApiArg = void;
export type ListDealerClosingsApiResponse =
  /** status 200 A page. */ DealerClosingPage;
export type ListDealerClosingsApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf";
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
  /** status 200 A page. */ DealerSalesPage;
export type ListDealerSalesApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf";
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
  /** status 200 One row a day. */ RemittanceStatistics;
export type GetRemittanceStatisticsApiArg = {
  /** Sold with this agency. */
  agencyId?: string;
  /** The first day; 29 days before the last one where absent. */
  initDate?: string;
  /** The last day; today where absent. */
  finalDate?: string;
  /** What a row counts: `hour` (of one day), `day` or `month`; a day where absent. */
  per?: string;
};
export type ListSalesApiResponse =
  /** status 200 A page, and the totals of all pages. */ SalesPage;
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
  format?: "csv" | "xlsx" | "pdf";
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
  /** status 200 A page, or the one asked for. */ DealerPage | Dealer;
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
  format?: "csv" | "xlsx" | "pdf";
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
export type CreateDealerApiResponse = /** status 201 Added. */ Created;
export type CreateDealerApiArg = {
  dealerInput: DealerInput;
};
export type UpdateNamedDealerApiResponse = /** status 200 Changed. */ Dealer;
export type UpdateNamedDealerApiArg = {
  dealerChangeInput: DealerChangeInput;
};
export type ListDealerBalanceAssignmentsApiResponse =
  /** status 200 A page. */ MovementPage;
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
  format?: "csv" | "xlsx" | "pdf";
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
  /** status 200 A page. */ DealerClosingPage;
export type ListDailyCreditApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf";
  /** A text to search for. */
  query?: string;
  /** The day; today where absent. */
  dateTime?: string;
  /** This dealer alone. */
  dealerId?: string;
};
export type ListDealerDirectoryApiResponse =
  /** status 200 A page. */ DirectoryDealerPage;
export type ListDealerDirectoryApiArg = {
  /** The page, from 1. */
  currentPage?: number;
  /** Rows of a page: 1 to 100; 0 means all, up to 10000 rows. */
  recordsPerPage?: number;
  /** A column; - in front: descending. */
  sort?: "name" | "-name";
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf";
  /** A text to search for. */
  query?: string;
};
export type RecordDealerExpenseApiResponse =
  /** status 201 Recorded. */ Movement;
export type RecordDealerExpenseApiArg = {
  id: string;
  expenseInput: ExpenseInput;
};
export type GetDealerListReportApiResponse = /** status 200 It. */ PdfFile;
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
  /** All rows as a file, in place of a page. */
  format?: "csv" | "xlsx" | "pdf";
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
export type TransferDealerCashApiResponse = /** status 201 Moved. */ Movement;
export type TransferDealerCashApiArg = {
  dealerTransferInput: DealerTransferInput;
};
export type UpdateDealerApiResponse = /** status 200 Changed. */ Dealer;
export type UpdateDealerApiArg = {
  id: string;
  dealerChangeInput: DealerChangeInput;
};
export type CreateDeliveryManApiResponse = /** status 201 Added. */ Created;
export type CreateDeliveryManApiArg = {
  deliveryManInput: DeliveryManInput;
};
export type UpdateDeliveryManApiResponse = /** status 200 Changed. */ Dealer;
export type UpdateDeliveryManApiArg = {
  id: string;
  deliveryManChangeInput: DeliveryManChangeInput;
};
export type ListNewsApiResponse = /** status 200 Them. */ NewsList;
export type ListNewsApiArg = {
  /** Their positions, at most 50, with commas between them. */
  positions: string;
};
export type UploadFileApiResponse = /** status 201 Kept. */ StoredFile;
export type UploadFileApiArg = {
  uploadInput: UploadInput;
};
export type ListCitiesApiResponse =
  /** status 200 The cities. */ NamedPlaceList;
export type ListCitiesApiArg = {
  /** ISO 3166-1 alpha-2 code. */
  country?: string;
  /** Searched for without case and accents. */
  query?: string;
};
export type ListCountriesApiResponse =
  /** status 200 All of them, by name. */ NamedPlaceList;
export type ListCountriesApiArg = void;
export type ListMunicipalitiesApiResponse =
  /** status 200 All of them. */ MunicipalityList;
export type ListMunicipalitiesApiArg = {
  /** Of this province. */
  provinceId?: string;
};
export type ListProvincesApiResponse =
  /** status 200 All of them. */ ProvinceList;
export type ListProvincesApiArg = void;
export type ListCurrenciesApiResponse = /** status 200 A page. */ CurrencyPage;
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
  format?: "csv" | "xlsx" | "pdf";
  /** A text to search for. */
  query?: string;
};
export type CreateCurrencyApiResponse = /** status 201 Added. */ Currency;
export type CreateCurrencyApiArg = {
  currencyInput: CurrencyInput;
};
export type DeleteCurrencyApiResponse = unknown;
export type DeleteCurrencyApiArg = {
  id: string;
};
export type UpdateCurrencyApiResponse = /** status 200 Changed. */ Currency;
export type UpdateCurrencyApiArg = {
  id: string;
  currencyInput: CurrencyInput;
};
export type UpdateMunicipalityApiResponse =
  /** status 200 Changed. */ Municipality;
export type UpdateMunicipalityApiArg = {
  id: string;
  municipalityInput: MunicipalityInput;
};
export type DeleteNamedPaymentGroupApiResponse = unknown;
export type DeleteNamedPaymentGroupApiArg = {
  paymentGroupRef: PaymentGroupRef;
};
export type ListPaymentGroupsApiResponse =
  /** status 200 A page. */ PaymentGroupPage;
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
  format?: "csv" | "xlsx" | "pdf";
  /** A text to search for. */
  query?: string;
  /** The catalogue, or the caller's own terms. */
  type?: PaymentGroupType;
};
export type CreatePaymentGroupApiResponse =
  /** status 201 Added. */ PaymentGroup;
export type CreatePaymentGroupApiArg = {
  paymentGroupInput: PaymentGroupInput;
};
export type UpdateNamedPaymentGroupApiResponse =
  /** status 200 Changed. */ PaymentGroup;
export type UpdateNamedPaymentGroupApiArg = {
  paymentGroupInput: PaymentGroupInput;
};
export type DeletePaymentGroupApiResponse = unknown;
export type DeletePaymentGroupApiArg = {
  id: string;
};
export type UpdatePaymentGroupApiResponse =
  /** status 200 Changed. */ PaymentGroup;
export type UpdatePaymentGroupApiArg = {
  id: string;
  paymentGroupInput: PaymentGroupInput;
};
export type UpdateProvinceApiResponse = /** status 200 Changed. */ Province;
export type UpdateProvinceApiArg = {
  id: string;
  provinceInput: ProvinceInput;
};
export type ListStatesApiResponse =
  /** status 200 All of them, by name. */ NamedPlaceList;
export type ListStatesApiArg = {
  /** ISO 3166-1 alpha-2 code. */
  code: string;
};
export type ListTodaysRatesApiResponse =
  /** status 200 All of them. */ RateSheet;
export type ListTodaysRatesApiArg = void;
export type ListRateChangesApiResponse =
  /** status 200 A page. */ RateChangePage;
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
  format?: "csv" | "xlsx" | "pdf";
};
export type ChangeRatesApiResponse =
  /** status 201 Changed, or scheduled. */ RateChange;
export type ChangeRatesApiArg = {
  rateChangeInput: RateChangeInput;
};
export type GetRateChangeApiResponse = /** status 200 It. */ RateChange;
export type GetRateChangeApiArg = {
  id: string;
};
export type UndoRateChangeApiResponse =
  /** status 200 Withdrawn, or set back. */ RateChange;
export type UndoRateChangeApiArg = {
  id: string;
};
export type ListRemittancesApiResponse =
  /** status 200 A page. */ RemittancePage;
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
  format?: "csv" | "xlsx" | "pdf";
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
  /** status 201 Sold. */ RemittanceCreated;
export type CreateRemittanceApiArg = {
  remittanceInput: RemittanceInput;
};
export type AssignDealerInBulkApiResponse =
  /** status 200 Row by row. */ BulkAssignResult;
export type AssignDealerInBulkApiArg = {
  bulkAssignInput: BulkAssignInput;
};
export type ListDealerDeskApiResponse =
  /** status 200 A page. */ RemittancePage;
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
  format?: "csv" | "xlsx" | "pdf";
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
  /** status 200 Changed. */ Remittance;
export type UpdateRemittanceDetailsApiArg = {
  id: string;
  remittanceDetailsInput: RemittanceDetailsInput;
};
export type ListDeliveryDisputesApiResponse =
  /** status 200 A page. */ DeliveryDisputePage;
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
  format?: "csv" | "xlsx" | "pdf";
  /** In this state. */
  status?: DisputeStatus;
  /** Of this remittance. */
  remittanceId?: string;
  /** Sent on this day or later. */
  initDate?: string;
  /** Sent on this day or before. */
  finalDate?: string;
};
export type GetQuoteApiResponse = /** status 200 The quote. */ Quote;
export type GetQuoteApiArg = {
  /** The group. */
  paymentGroupId: string;
  /** What is sent, in USD. */
  amount?: string;
  /** What is to be paid out, at least. */
  payout?: string;
  /** The seller, which a manager must name. */
  sellerId?: string;
};
export type SummarizeRemittancesApiResponse =
  /** status 200 The figures. */ RemittanceSummary;
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
export type GetRemittanceApiResponse = /** status 200 It. */ Remittance;
export type GetRemittanceApiArg = {
  id: string;
};
export type UpdateRemittanceAmountApiResponse =
  /** status 200 Changed. */ Remittance;
export type UpdateRemittanceAmountApiArg = {
  id: string;
  remittanceAmountInput: RemittanceAmountInput;
};
export type AssignDealerApiResponse =
  /** status 200 Assigned. */ ChangedRemittance;
export type AssignDealerApiArg = {
  id: string;
  assignDealerInput: AssignDealerInput;
};
export type RecordDeliveryAttemptApiResponse =
  /** status 200 Recorded; the remittance stays in shipping. */ Remittance;
export type RecordDeliveryAttemptApiArg = {
  id: string;
  attemptInput: AttemptInput;
};
export type CancelRemittanceApiResponse =
  /** status 200 Canceled. */ Remittance;
export type CancelRemittanceApiArg = {
  id: string;
  reasonInput: ReasonInput;
};
export type CompleteRemittanceApiResponse =
  | /** status 200 Completed. */ Remittance
  | /** status 202 Refused by the remittance's state and kept as a dispute, where `orDispute` is true. */ DisputedDelivery;
export type CompleteRemittanceApiArg = {
  id: string;
  completeInput: CompleteInput;
};
export type SettleDeliveryDisputeApiResponse =
  /** status 200 Settled. */ SettledDispute;
export type SettleDeliveryDisputeApiArg = {
  id: string;
  /** The dispute's number. */
  number: number;
  reasonInput: ReasonInput;
};
export type MarkRemittanceErrorApiResponse =
  /** status 200 Marked. */ Remittance;
export type MarkRemittanceErrorApiArg = {
  id: string;
  reasonInput: ReasonInput;
};
export type ListRemittanceHistoryApiResponse =
  /** status 200 A page. */ RemittanceHistoryPage;
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
  format?: "csv" | "xlsx" | "pdf";
  id: string;
};
export type GetRemittanceTermsApiResponse =
  /** status 200 They. */ RemittanceTerms;
export type GetRemittanceTermsApiArg = {
  id: string;
};
export type GetRemittanceProofApiResponse =
  /** status 200 The proof file. */ ProofFile;
export type GetRemittanceProofApiArg = {
  id: string;
};
export type GetRemittanceReceiptApiResponse = /** status 200 It. */ PdfFile;
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
  format?: "csv" | "xlsx" | "pdf";
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
  format?: "csv" | "xlsx" | "pdf";
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
  format?: "csv" | "xlsx" | "pdf";
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
  format?: "csv" | "xlsx" | "pdf";
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
  format?: "csv" | "xlsx" | "pdf";
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
  format?: "csv" | "xlsx" | "pdf";
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
  format?: "csv" | "xlsx" | "pdf";
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
  format?: "csv" | "xlsx" | "pdf";
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
export type ListDebitsApiResponse = /** status 200 A page. */ DebitPage;
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
  format?: "csv" | "xlsx" | "pdf";
  /** A text to search for. */
  query?: string;
  /** In this state. */
  status?: DebitStatus;
  /** Of this debtor. */
  partyId?: string;
};
export type DepositToAgencyApiResponse = /** status 201 Assigned. */ Movement;
export type DepositToAgencyApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type DepositToAgentApiResponse = /** status 201 Assigned. */ Movement;
export type DepositToAgentApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type DepositToDealerApiResponse = /** status 201 Given. */ Movement;
export type DepositToDealerApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type DepositToDeliveryManApiResponse = /** status 201 Given. */ Movement;
export type DepositToDeliveryManApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type DepositToManagerApiResponse = /** status 201 Deposited. */ Movement;
export type DepositToManagerApiArg = {
  depositInput: DepositInput;
};
export type DepositToPartyApiResponse =
  /** status 201 Assigned or given. */ Movement;
export type DepositToPartyApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type ListMovementsApiResponse = /** status 200 A page. */ MovementPage;
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
  format?: "csv" | "xlsx" | "pdf";
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
export type GetMovementApiResponse = /** status 200 It. */ Movement;
export type GetMovementApiArg = {
  id: string;
};
export type GetMovementReceiptApiResponse = /** status 200 It. */ PdfFile;
export type GetMovementReceiptApiArg = {
  id: string;
};
export type ReverseMovementApiResponse = /** status 200 Taken back. */ Movement;
export type ReverseMovementApiArg = {
  id: string;
  reasonInput: ReasonInput;
};
export type PayDebitsApiResponse = /** status 201 Paid. */ Movement;
export type PayDebitsApiArg = {
  payDebitsInput: PayDebitsInput;
};
export type ListUsersApiResponse = /** status 200 A page. */ UserPage;
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
  format?: "csv" | "xlsx" | "pdf";
  /** A text to search for. */
  query?: string;
  /** Of this role. */
  userType?: UserType;
  /** Whether they may log in. */
  isActive?: boolean;
  /** The deleted alone, or all others, as where absent. */
  deleted?: boolean;
};
export type CreateUserApiResponse = /** status 201 Added. */ Created;
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
export type GetProfileApiResponse = /** status 200 The caller. */ Profile;
export type GetProfileApiArg = void;
export type UpdateProfileApiResponse = /** status 200 Changed. */ Profile;
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
export type GetUserApiResponse = /** status 200 It. */ User;
export type GetUserApiArg = {
  id: string;
};
export type UpdateUserApiResponse = /** status 200 Changed. */ User;
export type UpdateUserApiArg = {
  id: string;
  userChangeInput: UserChangeInput;
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
  /** Its id. */
  id: string;
  /** Its name; null when the person was erased. */
  name: string | null;
};
export type AccountBalance = {
  /** The account as text, by which the journal of entries is filtered: `kind[/owner[/group]]/CURRENCY`. */
  account: string;
  /** Its balance when the period ended: opening + debits − credits. */
  closing: Money;
  /** Its number in the chart. */
  code: string;
  /** What was credited in the period. */
  credits: Money;
  /** Its currency. */
  currency: CurrencyCode;
  /** What was debited in the period. */
  debits: Money;
  /** What it is for. */
  kind: AccountKind;
  /** The side on which screens and files tell its opening and closing as positive. */
  normalSide: NormalSide;
  /** Its balance when the period began. */
  opening: Money;
  owner: Ref | null;
  /** The catalogue group of a prepaid balance. */
  paymentGroupId: string | null;
};
export type SideTotals = {
  /** The balances when the period ended. */
  closing: Money;
  /** What was credited in the period. */
  credits: Money;
  /** What was debited in the period. */
  debits: Money;
  /** The balances when the period began. */
  opening: Money;
};
export type AccountTotals = {
  /** The balances when the period ended. */
  closing: Money;
  /** The accounts whose normal side is credit: opening − debits + credits = closing. Over the whole ledger its opening
    and closing equal those of the debit side. */
  creditSide: SideTotals;
  /** What was credited in the period. */
  credits: Money;
  /** The currency. */
  currency: CurrencyCode;
  /** The accounts whose normal side is debit: opening + debits − credits = closing. */
  debitSide: SideTotals;
  /** What was debited in the period. */
  debits: Money;
  /** The balances when the period began. */
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
  /** The text with `{name}` where a value goes; absent where it has none. */
  template?: string;
  /** The values. */
  values?: any[];
};
export type FieldProblem = Said & {
  /** Stable. */
  code: string;
  /** In the caller's language. */
  detail: string;
  /** Path of the field as the request names it, for example `paymentGroups[0].exchangeRate`. */
  field: string;
  /** For `changed_since_read`: the value that stands now, null where there is none. */
  now?: any;
};
export type Decimal = string;
export type Figures = {
  exchangeRate: Decimal | null;
  /** What the receiver gets, in `payoutCurrency`. */
  payout: Money;
  /** The currency of `payout`. */
  payoutCurrency: CurrencyCode;
  /** The currency of `totalToPay`: USD, except for an exchange. */
  totalCurrency: CurrencyCode;
  totalFee: Money | null;
  /** What is paid or owed for it, in `totalCurrency`. */
  totalToPay: Money;
};
export type Problem = Said & {
  /** Stable; listed in the documentation. */
  code: string;
  /** In the caller's language. */
  detail: string;
  /** The fields at fault. */
  errors?: FieldProblem[];
  /** The figures as they are now, for `quote_changed`. */
  figures?: Figures;
  /** The HTTP status. */
  status: number;
  /** What sort of problem it is, in the caller's language. */
  title: string;
  /** Names the code as a URI. */
  type: string;
};
export type ClosureGroup = {
  /** Sent, less what was canceled or edited away, in USD. */
  amount: Money;
  /** Assigned to the party. */
  assigned: Money;
  /** opening + assigned − given − sold + returned. */
  closing: Money;
  /** Its currency. */
  currency: CurrencyCode;
  /** Given by it to its agents. */
  given: Money;
  /** Its name. */
  groupName: string;
  /** The balance at the cut before. */
  opening: Money;
  /** The group. */
  paymentGroupId: string;
  /** Remittances sold, less those canceled. */
  remittances: number;
  /** Payouts returned by cancel and by edits. */
  returned: Money;
  /** Payouts sold, edited amounts sold again. */
  sold: Money;
};
export type ClosureFigures = {
  /** The agency's, in USD. */
  agencyCommission: Money;
  /** The agent's, in USD. */
  agentCommission: Money;
  /** Sent, less what was canceled or edited away, in USD. */
  amount: Money;
  /** Commission accrued at the cut, which the closure billed where it was above 0, in USD. */
  commissionAccrued: Money;
  /** Debits opened in the period, in USD; what this closure bills is not among them. */
  debitsOpened: Money;
  /** Outstanding debits at the cut, in USD. */
  debitsOutstanding: Money;
  /** Paid on debits in the period, in USD. */
  debitsPaid: Money;
  /** By payment group. */
  groups: ClosureGroup[];
  /** The manager's commission on it, in USD. */
  managerCommission: Money;
  /** Remittances sold, less those canceled. */
  remittances: number;
};
export type Closure = {
  /** The debit owed to the agency that it opened. */
  agencyDebitId: string | null;
  /** When it was closed. */
  created: string;
  /** The debit owed to the manager that it opened. */
  debitId: string | null;
  /** The figures, frozen. */
  figures: ClosureFigures;
  /** The cut of the one before; the beginning where null. */
  from: string | null;
  /** Its id. */
  id: string;
  /** Its human number, `C-000001`. */
  number: string;
  /** Whose. */
  party: Ref;
  /** Where it is cut: what happened before belongs to it. */
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
  /** The seller. */
  partyId: string;
  /** The last day, in the tenant's time zone. */
  to?: string;
};
export type PdfFile = Blob;
export type UserType = 2 | 3 | 4 | 5 | 6;
export type HistoryActor = {
  /** The party. */
  id: string | null;
  /** Its name; null when the person was erased. */
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
  | "rates";
export type AccountRef = {
  /** The account as text: `kind[/owner[/group]]/CURRENCY`. */
  account: string;
  balanceAfter: Money | null;
  /** Its number in the chart. */
  code: string;
  /** What it is for. */
  kind: AccountKind;
  /** The side on which screens tell its balance as positive. */
  normalSide: NormalSide;
  owner: Ref | null;
  /** The catalogue group of a prepaid balance. */
  paymentGroupId: string | null;
};
export type LedgerTransfer = {
  /** How much. */
  amount: Money;
  /** Why. */
  code: string;
  /** The account credited. */
  credit: AccountRef;
  /** Of which currency. */
  currency: CurrencyCode;
  /** The account debited. */
  debit: AccountRef;
};
export type LedgerEntry = {
  /** Who did it. */
  actor: HistoryActor;
  /** When. */
  at: string;
  /** Which one. */
  causeId: string;
  /** What sort of thing caused it: `remittance`, `movement` or `closure`. */
  causeKind: StreamKind;
  /** Its human number. */
  causeNumber: string | null;
  /** The event's type. */
  eventType: string;
  /** The event's position in the tenant's log. */
  position: number;
  /** Whether it takes an earlier entry back. */
  reversal: boolean;
  /** Its transfers, in order; those that touch an account in the caller's scope. */
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
  | "undo";
export type RowAction = {
  /** The act. */
  action: RowAct;
  /** The code that it would be refused with; null where it is allowed. `role_not_allowed` where it is never the
    caller's. */
  refusal: string | null;
};
export type AgentType = 0 | 1;
export type Holding = {
  /** What it was assigned so far. */
  assigned: Money;
  /** The prepaid balance, or the cash. */
  balance: Money;
  /** The currency. */
  currency: CurrencyCode;
  /** Fees earned by deliveries, taken from the cash. */
  distributionFees: Money;
  /** Cash got for cash of another currency. */
  exchangedIn: Money;
  /** Cash given for cash of another currency. */
  exchangedOut: Money;
  /** Expenses of a dealer or delivery man. */
  expenses: Money;
  /** What an agency gave its agents of it, or a dealer its delivery men. */
  given: Money;
  /** The group's name; the currency for cash. */
  groupName: string;
  /** Cash that delivery men handed back to their dealer. */
  handedBack: Money;
  /** Cash that a delivery man handed back to the dealer. */
  handedBackToDealer: Money;
  /** The catalogue group; null for cash. */
  paymentGroupId: string | null;
  /** Cash given back to the manager. */
  returnedToManager: Money;
  /** Payouts of what it sold and was not canceled; paid out to recipients for cash. */
  spent: Money;
  /** Cash received from other field parties. */
  transferredIn: Money;
  /** Cash given to other field parties. */
  transferredOut: Money;
};
export type PartyBalance = {
  /** What the caller may do with it now, and why not the rest. */
  actions: RowAction[];
  agency: Ref | null;
  /** Outstanding debits owed to the agency, in USD. */
  agencyDebitsOutstanding: Money;
  /** The agency's fees accrued and not billed yet, in USD. */
  agencyFeeOwed: Money;
  agentType: AgentType | null;
  /** By payment group, or by currency. */
  balances: Holding[];
  /** The manager's commission accrued and not billed yet, in USD. */
  commissionOwed: Money;
  dealer: Ref | null;
  /** Outstanding debits owed to the manager, in USD. */
  debitsOutstanding: Money;
  /** When its balances or debts last changed. */
  lastMovement: string | null;
  /** Who. */
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
  /** Whether the currency counts in the total. */
  accounted: boolean;
  /** The currency. */
  currency: CurrencyCode;
  /** What sellers owe the manager. */
  debits: Money;
  /** Payouts of remittances in error. */
  error: Money;
  /** Reference units per 1 USD, as of now. */
  exchangeRate: Decimal;
  /** Cash of dealers and delivery men; below 0 where they advanced their own. */
  fieldCash: Money;
  /** Payouts of remittances that nobody has yet. */
  pending: Money;
  /** Prepaid balances of sellers; below 0 where they sold on credit. */
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
  /** Percentage of the amount; a negative one is a discount. */
  rate: Decimal;
  /** What the utility value is. */
  utilityType: UtilityType;
  utilityValue: Decimal | null;
};
export type ManagerCommission = {
  /** Percentage of the amount. */
  rate: Decimal;
};
export type PaymentGroupType = 0 | 1;
export type ProfilePaymentGroup = {
  agencyCommission: Commission | null;
  agentCommission: Commission | null;
  /** The balance, or the cash. */
  amount: Money;
  creditLimit: Money | null;
  /** What is sold: USD; for cash its currency. */
  currencyFrom: CurrencyCode;
  /** What is paid out. */
  currencyTo: CurrencyCode;
  exchangeRate: Decimal | null;
  /** Payouts of the remittances sold and not canceled; for cash the dealer's expenses. */
  expenses: Money;
  /** The party's own name for it, else the catalogue's; the currency for cash. */
  groupName: string;
  /** The catalogue group; null for cash. */
  id: string | null;
  /** Whether it may be sold. */
  isActive: boolean;
  managerCommission: ManagerCommission | null;
  /** The catalogue group; null for cash. */
  paymentGroupId: string | null;
  /** Always 1: a party's own. */
  type: PaymentGroupType;
};
export type Agency = {
  /** What the caller may do with it now, and why not the rest. */
  actions: RowAction[];
  /** First line of its address. */
  addressLine1: string | null;
  /** Second line. */
  addressLine2: string | null;
  /** Third line. */
  addressLine3: string | null;
  /** City. */
  city: string | null;
  /** ISO 3166 code. */
  country: string | null;
  /** When it was made. */
  created: string;
  /** Its login's address. */
  email: string;
  /** Its id. */
  id: string;
  /** Whether it may log in and be used. */
  isActive: boolean;
  /** Its name; empty when it was erased. */
  name: string;
  /** Its terms and balances. */
  paymentGroups: ProfilePaymentGroup[];
  /** Its telephone. */
  phone: string | null;
  /** Its picture's address. */
  profilePicture: string | null;
  /** State or province. */
  province: string | null;
  /** The numbers kept before today's rules, or taken over from elsewhere, that these rules refuse: a field that is
    changed must be corrected. */
  toCorrect: string[];
  /** When it was last changed. */
  updated: string;
  /** Postal code. */
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
  /** The id. */
  id: string;
};
export type MoneyInput = string | number;
export type DecimalInput = string | number;
export type CommissionInput = {
  minimalAmount?: MoneyInput | null;
  /** Percentage of the amount, -100 to 100. */
  rate: DecimalInput;
  /** How `utilityValue` is read: fixed 0, percentage 1. */
  utilityType?: UtilityType;
  utilityValue?: DecimalInput | null;
};
export type PartyTermsInput = {
  /** An agency's commission. */
  agencyCommission?: CommissionInput;
  /** An agent's commission. */
  agentCommission?: CommissionInput;
  /** How far below 0 the balance may go, in the group's currency. */
  creditLimit?: MoneyInput;
  /** Units of the group's currency per USD. */
  exchangeRate?: DecimalInput;
  /** Whether the party may sell it. */
  isActive?: boolean;
  /** The party's own name for the group. */
  name?: string;
  /** The catalogue's group. */
  paymentGroupId: string;
};
export type AgencyInput = {
  /** First line of the address. */
  addressLine1?: string | null;
  /** Second line of the address. */
  addressLine2?: string | null;
  /** Third line of the address. */
  addressLine3?: string | null;
  /** City. */
  city?: string | null;
  /** ISO 3166-1 country. */
  country?: string | null;
  /** The address that it logs in with. */
  email: string;
  /** Whether it may log in and be used; true for a new one where absent. */
  isActive?: boolean;
  /** Its name. */
  name: string;
  /** 8 to 15 characters: a digit, a special character, an upper and a lower case letter, no blanks. */
  password: string;
  /** Its terms, one for each group that it sells. */
  paymentGroups?: PartyTermsInput[];
  /** Telephone. */
  phone?: string | null;
  /** A file kept before. */
  profilePicture?: string | null;
  /** State or province. */
  province?: string | null;
  /** Postal code. */
  zip?: string | null;
};
export type AgencyChangeInput = {
  /** First line of the address. */
  addressLine1?: string | null;
  /** Second line of the address. */
  addressLine2?: string | null;
  /** Third line of the address. */
  addressLine3?: string | null;
  /** City. */
  city?: string | null;
  /** ISO 3166-1 country. */
  country?: string | null;
  /** The address that it logs in with. */
  email: string;
  /** Which one, where the address does not say. */
  id?: string;
  /** Whether it may log in and be used; true for a new one where absent. */
  isActive?: boolean;
  /** Its name. */
  name: string;
  /** Another password; the present one stays where absent. */
  password?: string | null;
  /** Telephone. */
  phone?: string | null;
  /** A file kept before. */
  profilePicture?: string | null;
  /** State or province. */
  province?: string | null;
  /** The values of the fields that are sent, as they were read. With it what is absent stays, and what
    another changed since is refused (409 `changed_since_read`). */
  was?: object | null;
  /** Postal code. */
  zip?: string | null;
};
export type MovementAmount = {
  /** How much. */
  amount: Money;
  /** The currency. */
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
  | "debitPayment";
export type Movement = {
  /** What the caller may do with it now, and why not the rest. */
  actions: RowAction[];
  /** Who made it. */
  actor: HistoryActor;
  /** What was given and, where another currency is involved, what that was worth or became. */
  amounts: MovementAmount[];
  /** When it was made. */
  created: string;
  /** The debit that it opened. */
  debitId: string | null;
  from: Ref | null;
  /** Its id. */
  id: string;
  /** What it is. */
  kind: MovementKind;
  /** A note or concept. */
  note: string | null;
  /** Its human number, `M-000001`. */
  number: string;
  /** Whether it is owed rather than paid. */
  onCredit: boolean;
  /** The payment group of a balance. */
  paymentGroupId: string | null;
  /** Why it was taken back. */
  reverseReason: string | null;
  /** Whether it was taken back. */
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
  /** An agency's commission, as an object. */
  agencyCommission?: CommissionInput;
  /** An agent's commission, as an object. */
  agentCommission?: CommissionInput;
  /** How far below 0 the balance may go; set from above. */
  creditLimit?: MoneyInput;
  /** What the group sells: always USD. */
  currencyFrom?: string;
  /** What the group pays out, which does not change. */
  currencyTo?: string;
  /** Units of the group's currency per USD; set from above. */
  exchangeRate?: DecimalInput;
  /** Whether the party may sell it; set from above. */
  isActive?: boolean;
  minimalAmount?: MoneyInput | null;
  /** The party's own name for the group. */
  name?: string;
  /** The catalogue's group. */
  paymentGroupId: string;
  /** Percentage of the amount, -100 to 100. */
  rate?: DecimalInput;
  /** A party's terms are of type 1. */
  type?: PaymentGroupType;
  /** How `utilityValue` is read: fixed 0, percentage 1. */
  utilityType?: UtilityType;
  utilityValue?: DecimalInput | null;
  /** The values of the fields that are sent, as they were read: what another changed since is refused
    (409 `changed_since_read`). */
  was?: object | null;
};
export type Agent = {
  /** What the caller may do with it now, and why not the rest. */
  actions: RowAction[];
  /** First line of its address. */
  addressLine1: string | null;
  /** Second line. */
  addressLine2: string | null;
  /** Third line. */
  addressLine3: string | null;
  /** Its agency. */
  agencyId: string | null;
  /** Its agency's name. */
  agencyName: string | null;
  /** Internal or external. */
  agentType: AgentType;
  /** City. */
  city: string | null;
  /** ISO 3166 code. */
  country: string | null;
  /** When it was made. */
  created: string;
  /** Its login's address. */
  email: string;
  /** Its id. */
  id: string;
  /** Whether it may log in and be used. */
  isActive: boolean;
  /** Its name; empty when it was erased. */
  name: string;
  /** Its terms and balances; an internal agent's are its agency's. */
  paymentGroups: ProfilePaymentGroup[];
  /** Its telephone. */
  phone: string | null;
  /** Its picture's address. */
  profilePicture: string | null;
  /** State or province. */
  province: string | null;
  /** The numbers kept before today's rules, or taken over from elsewhere, that these rules refuse: a field that is
    changed must be corrected. */
  toCorrect: string[];
  /** When it was last changed. */
  updated: string;
  /** Postal code. */
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
  /** First line of the address. */
  addressLine1?: string | null;
  /** Second line of the address. */
  addressLine2?: string | null;
  /** Third line of the address. */
  addressLine3?: string | null;
  /** Its agency; an internal agent needs one, an agency need not name itself. */
  agencyId?: string | null;
  /** Internal 0, external 1. */
  agentType: AgentType;
  /** City. */
  city?: string | null;
  /** ISO 3166-1 country. */
  country?: string | null;
  /** The address that it logs in with. */
  email: string;
  /** Whether it may log in and be used; true for a new one where absent. */
  isActive?: boolean;
  /** Its name. */
  name: string;
  /** 8 to 15 characters: a digit, a special character, an upper and a lower case letter, no blanks. */
  password: string;
  /** An external agent's terms, one for each group that it sells. */
  paymentGroups?: PartyTermsInput[];
  /** Telephone. */
  phone?: string | null;
  /** A file kept before. */
  profilePicture?: string | null;
  /** State or province. */
  province?: string | null;
  /** Postal code. */
  zip?: string | null;
};
export type AgentChangeInput = {
  /** First line of the address. */
  addressLine1?: string | null;
  /** Second line of the address. */
  addressLine2?: string | null;
  /** Third line of the address. */
  addressLine3?: string | null;
  /** Its agency, which does not change. */
  agencyId?: string | null;
  /** What it is, which does not change. */
  agentType?: AgentType;
  /** City. */
  city?: string | null;
  /** ISO 3166-1 country. */
  country?: string | null;
  /** The address that it logs in with. */
  email: string;
  /** Whether it may log in and be used; true for a new one where absent. */
  isActive?: boolean;
  /** Its name. */
  name: string;
  /** Another password; the present one stays where absent. */
  password?: string | null;
  /** Telephone. */
  phone?: string | null;
  /** A file kept before. */
  profilePicture?: string | null;
  /** State or province. */
  province?: string | null;
  /** The values of the fields that are sent, as they were read. With it what is absent stays, and what
    another changed since is refused (409 `changed_since_read`). */
  was?: object | null;
  /** Postal code. */
  zip?: string | null;
};
export type PreviousCheckpoint = {
  /** The SHA-256 of its signed bytes and its signature, in hexadecimal digits. */
  digest: string;
  /** The position that it signs. */
  position: number;
};
export type SignedCheckpoint = {
  /** `checkpoint`. */
  caudal: string;
  /** The format: 2, or 1 where an older version signed. */
  format: number;
  /** Its hash, in hexadecimal digits. */
  hash: string;
  /** The name of the key. */
  key: string;
  /** The last event's position. */
  position: number;
  previous: PreviousCheckpoint | null;
  /** When it was recorded. */
  recordedAt: string;
  /** The Merkle root over the events up to the position, in hexadecimal digits; null in format 1. */
  root: string | null;
  /** The Ed25519 signature, in Base64. */
  signature: string;
  /** When this was signed. */
  signedAt: string;
  /** Whose log. */
  tenant: string;
};
export type WitnessCosignature = {
  /** When the witness signed. */
  cosignedAt: string;
  /** The witness's public key, in Base64. Trust it only where the witness itself says it. */
  publicKey: string;
  /** The Ed25519 signature, in Base64. */
  signature: string;
  /** The name of the witness's key. */
  witness: string;
};
export type Standing = "holds" | "changed" | "missing" | "unsigned";
export type KeptCheckpoint = {
  /** It. */
  checkpoint: SignedCheckpoint;
  /** Which witnesses signed it too. */
  cosignatures: WitnessCosignature[];
  /** The name of a file for it. */
  fileName: string;
  /** How it stands against the log as it is. */
  standing: Standing;
};
export type KeptCheckpoints = {
  /** The last one first. */
  checkpoints: KeptCheckpoint[];
};
export type LogRoot = {
  checkpoint: SignedCheckpoint | null;
  /** Over the events up to this position. */
  position: number;
  /** The root, in hexadecimal digits. */
  root: string;
};
export type ConsistencyFile = {
  /** `consistency`. */
  caudal: string;
  /** The format: 1. */
  format: number;
  /** The earlier root. */
  from: LogRoot;
  /** The consistency proof (RFC 6962): hashes in hexadecimal digits. */
  proof: string[];
  /** Whose log. */
  tenant: string;
  /** The later root. */
  to: LogRoot;
};
export type Finding = {
  /** What sort of thing: a fault of the log (`missing`, `repeated`, `changed`, `backwards`, `unreadable`,
    `head_moved`, `head_changed`), a contradiction of what was signed (`rewritten`, `shortened`, `root_changed`), of
    the kept Merkle tree (`tree_changed`) or of what this node verified before (`went_back`), a checkpoint that proves
    nothing (`checkpoint_invalid`) or can't be read (`checkpoint_unreachable`), `invariant`, `read_model`, or a row
    beside the log (`row_changed`, `row_without_mac`, `row_missing`, `row_contradicts_log`, `rows_not_compared`). */
  code: string;
  /** What it is, in English. */
  detail: string;
  /** The first wrong position, for a fault of the log. */
  position: number | null;
};
export type ContinuousVerification = {
  /** How many signed checkpoints the log was held against. */
  checkpoints: number;
  /** When they were read last; null where they could not be read yet. */
  comparedAt: string | null;
  /** What is wrong: a fault of the log, checkpoints that prove nothing (`checkpoint_invalid`) or can't be read
    (`checkpoint_unreachable`). Empty where all is well. */
  findings: Finding[];
  /** The last position that this node has verified in the present walk from event 1. */
  position: number;
  /** When a walk last arrived at the log's end, or was there still; null where none has since the node started. */
  reachedEndAt: string | null;
  /** When the present walk began. */
  startedAt: string;
};
export type AuditEvent = {
  /** Who did it. */
  actor: HistoryActor;
  /** When it was recorded. */
  at: string;
  /** Its type. */
  eventType: string;
  /** Its version. */
  eventVersion: string;
  /** Its hash in the chain, in hexadecimal digits. */
  hash: string;
  /** Its place in the tenant's log, from 1. */
  position: number;
  /** Which one. */
  recordId: string;
  /** Its human number, or its name; null when the person was erased. */
  recordName: string | null;
  /** What sort of record it changed. */
  recordType: StreamKind;
  /** The request that did it. */
  requestId: string;
  /** Its place among the record's events, from 1. */
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
  /** The record after it. */
  after: object | null;
  /** The record before it; null where it was not there. */
  before: object | null;
  /** The event. */
  event: AuditEvent;
  /** Whether its hash is that of its content and the hash before. */
  hashHolds: boolean;
  /** What the ids in it are called now: names, codes and numbers by id. An id of nothing named is not in it. */
  names: {
    [key: string]: string;
  };
  /** The position after; null for the last. */
  nextPosition: number | null;
  /** What it says, read as the present version of its type; its personal part open, or without it where the person was
    forgotten. */
  payload: object;
  /** The hash before it, which its own covers: that of the event before, or of the tenant's genesis. */
  previousHash: string | null;
  /** The position before; null for the first. */
  previousPosition: number | null;
};
export type CheckpointKey = {
  /** Its name. */
  id: string;
  /** The key, in Base64. */
  publicKey: string;
  /** Since when it signed. */
  since: string;
  /** Until when; null where it still signs. */
  until: string | null;
};
export type CheckpointKeys = {
  /** All of them, the present one last. */
  keys: CheckpointKey[];
};
export type HashedEvent = {
  /** Its record's id. */
  aggregateId: string;
  /** The kind of its record. */
  aggregateType: string;
  /** Its type. */
  eventType: string;
  /** Its version. */
  eventVersion: string;
  /** Its hash, in hexadecimal digits. */
  hash: string;
  /** Who caused it: the text that is hashed. */
  metadata: string;
  /** What happened: the text that is hashed. Personal data is encrypted in it. */
  payload: string;
  /** Its place in the log, from 1. */
  position: number;
  /** When it was recorded, in microseconds since 1970-01-01T00:00:00Z. */
  recordedAt: number;
  /** Its place among the record's events, from 1. */
  sequence: number;
};
export type ProofFile = {
  /** `proof`. */
  caudal: string;
  /** The signed root. */
  checkpoint: SignedCheckpoint;
  /** Who else signed it. */
  cosignatures: WitnessCosignature[];
  /** The event. */
  event: HashedEvent;
  /** The format: 1. */
  format: number;
  /** The inclusion proof (RFC 6962) under the checkpoint's root: hashes in hexadecimal digits, from the leaf up. */
  inclusion: string[];
  /** The hash before the event's, in hexadecimal digits. */
  previousHash: string;
  /** Whose log. */
  tenant: string;
};
export type Place = {
  /** The hash of the event there, in hexadecimal digits. */
  hash: string;
  /** The position; 0 before the first event. */
  position: number;
};
export type EndedQuarantine = {
  /** The event that records the decision. */
  accepted: Place;
  /** When the operator decided. */
  endedAt: string;
  /** First position that was given up; null where nothing was. */
  lostFrom: number | null;
  /** Last position that was given up. */
  lostTo: number | null;
  /** The first report of it. */
  noticedAt: string;
  /** The operator's reason. */
  reason: string;
};
export type LostAnswer = {
  /** `system`, or the id of the party that asked. */
  actor: string;
  /** When it left. */
  at: string;
  /** What was made or changed. */
  id: string;
  /** Its human number; null where it has none. */
  number: string | null;
  /** The position that it was for. */
  position: number;
  /** The request's id. */
  request: string;
};
export type Losses = {
  /** The answers that had left for lost positions; at most 500. */
  answers: LostAnswer[];
  common: Place | null;
  /** The log's end as it stands. */
  end: Place;
  /** First position that is lost; null where nothing is. */
  lostFrom: number | null;
  /** Last position that is lost. */
  lostTo: number | null;
};
export type NumbersGiven = {
  /** Of closures. */
  closures: number;
  /** Of movements. */
  movements: number;
  /** Of remittances. */
  remittances: number;
};
export type QuarantineReport = {
  found: Place | null;
  /** The report's id. */
  id: string;
  /** Which rule the log breaks: `shortened`, `rewritten`, `broken`, `head_changed`, `read_models` or `checkpoint`. */
  kind: string;
  /** The last place that the node had seen. */
  known: Place;
  /** When the node last saw the log grow; null where it never did. */
  lastSeenAt: string | null;
  /** The node's process. */
  node: string;
  /** When the node noticed it. */
  noticedAt: string;
  /** The highest numbers that the node knows to have been given out. */
  numbers: NumbersGiven;
};
export type QuarantineState = {
  /** Whether nothing can be written. */
  active: boolean;
  /** The quarantines that have ended, the newest first. */
  ended: EndedQuarantine[];
  losses: Losses | null;
  /** The nodes' reports in force, the newest first. */
  reports: QuarantineReport[];
  /** Since when; null where it is not active. */
  since: string | null;
};
export type FieldChange = {
  /** What it is; null where it is not there any more. */
  after: object | null;
  /** What it was; null where it was not there. */
  before: object | null;
  /** Its path in the record, with dots. */
  field: string;
};
export type TimelineStep = {
  /** The fields that it changed. */
  changes: FieldChange[];
  /** The event. */
  event: AuditEvent;
};
export type Timeline = {
  /** How many events came before the first of these steps. */
  earlier: number;
  /** What the ids in it are called now: names, codes and numbers by id. An id of nothing named is not in it. */
  names: {
    [key: string]: string;
  };
  /** Which one. */
  recordId: string;
  /** What sort of record. */
  recordType: StreamKind;
  /** The record as it was then; null where it was not there. */
  state: object | null;
  /** Its events until then, the first one first; the last 1,000 of them where there are more. */
  steps: TimelineStep[];
};
export type Outcome = "whole" | "wrong" | "failed";
export type Phase = "chain" | "read_models";
export type VerificationRun = {
  /** Who asked for it. */
  askedBy: string;
  /** How many signed checkpoints, of the database and of all destinations, the log was compared with; null until then,
    and for verifications of earlier versions. */
  checkpoints: number | null;
  /** What is wrong. */
  findings: Finding[];
  /** When it ended; null while it is under way. */
  finishedAt: string | null;
  /** The hash of the last event, once the chain was found whole. */
  hash: string | null;
  /** How far it goes. */
  head: number;
  /** Its id. */
  id: string;
  outcome: Outcome | null;
  /** What it is, or was last, doing. */
  phase: Phase;
  /** How far it is in this phase. */
  position: number;
  /** Events a second so far, over both phases. */
  rate: number;
  /** How many seconds this phase will still take at that rate; null where that is not known. */
  secondsLeft: number | null;
  /** When it began. */
  startedAt: string;
};
export type Profile = {
  /** The agency of an agent; an agency's own id. */
  agencyId: string | null;
  /** The agency's name. */
  agencyName: string | null;
  agentType: AgentType | null;
  /** Its login's address. */
  email: string;
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** What it has to sell with, or its cash; none for a manager. */
  paymentGroups: ProfilePaymentGroup[];
  /** Its picture's address. */
  profilePicture: string | null;
  /** IANA zone of the tenant. */
  timeZone: string;
  /** Its role. */
  userType: UserType;
};
export type AccessToken = {
  accessToken: string;
  /** Seconds. */
  expiresIn: number;
};
export type Login = {
  profile: Profile;
  token: AccessToken;
};
export type LoginRequest = {
  email: string;
  password: string;
};
export type CardBrand =
  "bandec_mlc" | "bm_mlc" | "bpa_mlc" | "bandec_cup" | "bm_cup" | "bpa_cup";
export type CardInput = {
  /** Bank and currency, by the number's first six digits. */
  brand: CardBrand;
  /** Sixteen digits, blanks and hyphens allowed. */
  cardNumber: string;
  /** As clients send it; every card is kept as MLC. */
  currency?: string;
  /** The id of a card that is kept already. */
  id?: string;
  /** As clients send it; no card is kept as the default. */
  isDefault?: boolean;
};
export type CustomerType = 0 | 1;
export type IdentificationType = 0 | 1 | 2 | 3 | 4 | 5 | 6;
export type CustomerInput = {
  /** Address. */
  addressLine?: string | null;
  /** The agency, or the agent with no agency, whose sender it is. */
  agencyId?: string | null;
  /** Another name; a sender's is set from the name. */
  alias?: string | null;
  /** Surname of the authorised representative. */
  alternativeLastName?: string | null;
  /** Name of the authorised representative; a sender's is set from the name. */
  alternativeName?: string | null;
  /** Identity document of the authorised representative. */
  alternativePersonalIdentificationNumber?: string | null;
  /** Telephone of the authorised representative. */
  alternativePhoneNumber?: string | null;
  /** Cards to keep for a recipient; one that bears an id is kept already. */
  card?: CardInput[];
  /** ISO 3166-1 country of a sender. */
  country?: string | null;
  /** Sender 0, recipient 1. */
  customerType: CustomerType;
  /** E-mail address. */
  email?: string | null;
  /** Whether it may be used in new remittances; true for a new one where absent. */
  isActive?: boolean;
  /** Surname. */
  lastName?: string | null;
  /** City of a sender. */
  municipality?: string | null;
  /** Cuban municipality of a recipient. */
  municipalityId?: string | null;
  /** First name. */
  name: string;
  /** When the document expires. */
  personalIdentificationExpirationDate?: string | null;
  /** When the document was issued. */
  personalIdentificationIssueDate?: string | null;
  /** Number of the identity document. */
  personalIdentificationNumber?: string | null;
  personalIdentificationType?: IdentificationType | null;
  /** Telephone. */
  phoneNumber?: string | null;
  /** State or province of a sender. */
  province?: string | null;
  /** Cuban province of a recipient. */
  provinceId?: string | null;
  /** Neighbourhood. */
  repart?: string | null;
  /** Second surname. */
  secondSurname?: string | null;
  /** A recipient's sender. */
  senderId?: string | null;
  /** For a change: the values of the fields that are sent, as they were read. With it what is absent stays, and what
    another changed since is refused (409 `changed_since_read`). */
  was?: object | null;
  /** Postal code. */
  zipCode?: string | null;
};
export type Card = {
  /** Its brand, as chosen. */
  brand: CardBrand;
  /** Its number, masked except to who pays to it; null when the person was erased. */
  cardNumber: string | null;
  /** Always MLC, as specified. */
  currency: CurrencyCode;
  /** The recipient. */
  customerId: string;
  /** Its id. */
  id: string;
  /** Always false, as specified. */
  isDefault: boolean;
};
export type AddCardInput = {
  /** Bank and currency, by the number's first six digits. */
  brand: CardBrand;
  /** Sixteen digits, blanks and hyphens allowed. */
  cardNumber: string;
  /** The recipient. */
  customerId: string;
};
export type CustomerAddress = {
  /** City or municipality. */
  cityOrMunicipality: string | null;
  /** E-mail address. */
  email: string | null;
  /** The address. */
  line1: string | null;
  /** State or province. */
  stateOrProvince: string | null;
  /** Postal code. */
  zipcode: string | null;
};
export type IdentityDocument = {
  /** Its number. */
  documentNumber: string | null;
  documentTypeOption: IdentificationType | null;
};
export type Customer = {
  /** What the caller may do with it now, and why not the rest. */
  actions: RowAction[];
  /** Where it lives. */
  address: CustomerAddress;
  /** Address. */
  addressLine: string | null;
  /** The agency whose customer it is; null where it is an agent's with no agency. */
  agencyId: string | null;
  /** Another name that it goes by. */
  alias: string | null;
  /** Surname of the authorised representative. */
  alternativeLastName: string | null;
  /** Name of the authorised representative. */
  alternativeName: string | null;
  /** Identity document of the authorised representative. */
  alternativePersonalIdentificationNumber: string | null;
  /** Telephone of the authorised representative. */
  alternativePhoneNumber: string | null;
  /** A recipient's cards, masked. */
  card: Card[];
  /** ISO 3166 code of an issuer's country. */
  country: string | null;
  /** When it was made. */
  created: string;
  /** Sender or recipient. */
  customerType: CustomerType;
  /** E-mail address. */
  email: string | null;
  /** name, lastName and secondSurname joined. */
  fullName: string | null;
  /** Its id. */
  id: string;
  /** Its identity document. */
  identityDocument: IdentityDocument;
  /** Whether it may be used in new remittances. */
  isActive: boolean;
  /** Surname. */
  lastName: string | null;
  /** Free text for an issuer; the name of `municipalityId` for a recipient. */
  municipality: string | null;
  /** A recipient's municipality. */
  municipalityId: string | null;
  /** First name; null, as all that is personal, when the person was erased. */
  name: string | null;
  /** When the document expires, `YYYY-MM-DD`. */
  personalIdentificationExpirationDate: string | null;
  /** When the document was issued, `YYYY-MM-DD`. */
  personalIdentificationIssueDate: string | null;
  /** Identity document's number. */
  personalIdentificationNumber: string | null;
  personalIdentificationType: IdentificationType | null;
  /** Telephone. */
  phoneNumber: string | null;
  /** Free text for an issuer; the name of `provinceId` for a recipient. */
  province: string | null;
  /** A recipient's province. */
  provinceId: string | null;
  /** Neighbourhood. */
  repart: string | null;
  /** Second surname. */
  secondSurname: string | null;
  /** A recipient's issuer. */
  senderId: string | null;
  /** The numbers kept before today's rules, or taken over from elsewhere, that these rules refuse: a field that is
    changed must be corrected. */
  toCorrect: string[];
  /** How many recipients an issuer has. */
  totalReceivers: number;
  /** When it was last changed. */
  updated: string;
  /** Postal code. */
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
export type RemittanceTotal = {
  /** Paid out, in the currency. */
  amount: Money;
  /** Sent, in USD. */
  amountUsd: Money;
  change: Decimal | null;
  /** The currency paid out. */
  currency: CurrencyCode;
  /** Paid out in the period before. */
  previousAmount: Money;
  /** How many in the period before. */
  previousTotalRemittances: number;
  /** How many. */
  totalRemittances: number;
};
export type RemittanceTotals = {
  change: Decimal | null;
  /** How many in the period before. */
  previousTotalRemittances: number;
  /** By currency. */
  report: RemittanceTotal[];
  /** How many in all currencies. */
  totalRemittances: number;
};
export type RangeSelector = 0 | 1 | 2 | 3;
export type ClosurePreview = {
  /** What the caller may do with it now, and why not the rest. */
  actions: RowAction[];
  /** What an agent's agency would bill, in USD. */
  agencyFeeAccrued: Money;
  /** What closures within the period billed, in USD: opening + opened + billed − paid = outstanding. */
  debitsBilled: Money;
  /** Outstanding debits at the beginning, in USD, with what earlier closures billed. */
  debitsOpening: Money;
  /** The figures. */
  figures: ClosureFigures;
  /** Where the period begins: the last closure's cut, or the first day asked for; the beginning where null. */
  from: string | null;
  /** Whose. */
  party: Ref;
  /** Where it ends. */
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
  /** This agency; all in the caller's scope where absent. */
  agencyId?: string | null;
  /** The last day; until now where absent. */
  finalDate?: string | null;
  /** The first day, in the tenant's time zone; since the last closure where absent. */
  initDate?: string | null;
};
export type SellerRemittances = {
  /** Sent, in USD. */
  amount: Money;
  /** What it has, by currency, now. */
  balance: MovementAmount[];
  /** The seller. */
  id: string;
  /** Its name; empty when it was erased. */
  name: string;
  /** Its picture's address. */
  pictureUrl: string | null;
  /** How many remittances. */
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
  /** The agents of this agency. */
  agencyId?: string | null;
  /** This agent; all in the caller's scope where absent. */
  agentId?: string | null;
  /** The last day; until now where absent. */
  finalDate?: string | null;
  /** The first day, in the tenant's time zone; since the last closure where absent. */
  initDate?: string | null;
};
export type AttentionCounts = {
  /** Disputed deliveries that nobody has settled. */
  deliveryDisputed: number;
  /** Balances that run out. */
  lowBalance: number;
  /** Open debits. */
  openDebit: number;
  /** Remittances in error. */
  remittanceError: number;
  /** Remittances too long in shipping. */
  shippingTooLong: number;
};
export type AttentionKind =
  | "deliveryDisputed"
  | "remittanceError"
  | "shippingTooLong"
  | "lowBalance"
  | "openDebit";
export type AttentionItem = {
  amount: Money | null;
  currency: CurrencyCode | null;
  /** A remittance's recipient; the group of a balance. */
  detail: string | null;
  /** The remittance, party or debit. */
  id: string;
  /** Why. */
  kind: AttentionKind;
  /** A remittance's code; the party's name. */
  name: string | null;
  /** Since when it is so, where that is known. */
  since: string | null;
};
export type Attention = {
  /** How many of each kind. */
  counts: AttentionCounts;
  /** The items. */
  results: AttentionItem[];
};
export type CashFigures = {
  /** Cash when the period ended. */
  closing: Money;
  /** Paid out to recipients. */
  delivered: Money;
  /** How many remittances that were. */
  deliveries: number;
  /** Fees earned by deliveries, taken from the cash. */
  distributionFees: Money;
  /** Got for cash of another currency. */
  exchangedIn: Money;
  /** Given for cash of another currency. */
  exchangedOut: Money;
  /** Expenses. */
  expenses: Money;
  /** Handed back by delivery men to the dealer. */
  handedBack: Money;
  /** Handed back by the delivery man to the dealer. */
  handedBackToDealer: Money;
  /** Handed by the dealer to delivery men. */
  handedToDeliveryMen: Money;
  /** Cash when the period began; below 0 where own cash was advanced. */
  opening: Money;
  /** Received from above: from the manager, by a delivery man also from the dealer. */
  received: Money;
  /** Given back to the manager. */
  returnedToManager: Money;
  /** Received from other field parties. */
  transferredIn: Money;
  /** Given to other field parties. */
  transferredOut: Money;
};
export type DealerCash = CashFigures & {
  /** closing − shipping: what it has beyond what it has to pay out. */
  credit: Money;
  /** The currency. */
  currency: CurrencyCode;
  /** Payouts of the remittances that it had in shipping when the period ended. */
  shipping: Money;
};
export type CurrencyCash = CashFigures & {
  /** The currency. */
  currency: CurrencyCode;
};
export type PartyCash = {
  /** By currency. */
  currencies: CurrencyCash[];
  /** Who. */
  party: Ref;
  /** Dealer or delivery man. */
  userType: UserType;
};
export type DealerClosing = {
  /** The dealer and its delivery men together, by currency. */
  currencies: DealerCash[];
  /** The dealer. */
  dealer: Ref;
  /** The dealer itself, then its delivery men. */
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
  /** The currency. */
  currency: CurrencyCode;
  /** What was paid out to recipients. */
  delivered: Money;
  /** How many remittances were delivered. */
  deliveries: number;
  /** Fees earned. */
  distributionFees: Money;
};
export type PartyDeliveries = {
  /** By currency. */
  currencies: Deliveries[];
  /** Who. */
  party: Ref;
  /** Dealer or delivery man. */
  userType: UserType;
};
export type DealerSales = {
  /** The dealer and its delivery men together, by currency. */
  currencies: Deliveries[];
  /** The dealer. */
  dealer: Ref;
  /** The dealer itself, then its delivery men. */
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
  /** The day in the tenant's zone, YYYYMMDD; the first one of a month. */
  date: string;
  /** The hour of the day in the tenant's zone, 0 to 23, where hours are asked for. */
  hour: number | null;
  /** How many. */
  total: number;
};
export type RemittanceStatistics = {
  /** The days, hours or months. */
  results: DailyCount[];
};
export type SalesFigures = {
  /** The agencies' commission, in USD. */
  agencyFee: Money;
  /** The agents' commission, in USD. */
  agentFee: Money;
  /** Sent, less what was canceled or edited away, in USD. */
  amount: Money;
  /** The currency paid out. */
  currency: CurrencyCode;
  /** The manager's commission, in USD. */
  managerFee: Money;
  /** Amount less payout at the reference rate of the moment when each was quoted, in USD. */
  margin: Money;
  /** To be paid out for it, in the currency. */
  payout: Money;
  /** Remittances sold, less those canceled. */
  remittances: number;
  /** All three. */
  totalFee: Money;
};
export type SellerSales = SalesFigures & {
  agency?: Ref | null;
  agentType?: AgentType | null;
  /** Whose balance was sold: an agency (also through its internal agents) or an external agent. */
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
  /** What the caller may do with it now, and why not the rest. */
  actions: RowAction[];
  /** First line of its address. */
  addressLine1: string | null;
  /** Second line. */
  addressLine2: string | null;
  /** Third line. */
  addressLine3: string | null;
  /** ISO 3166 code. */
  country: string | null;
  /** When it was made. */
  created: string;
  /** A delivery man's dealer. */
  dealerId: string | null;
  /** A delivery man's dealer's name. */
  dealerName: string | null;
  /** Province and zones, comma-joined with leading and trailing commas. */
  distributionArea: string;
  /** Its login's address. */
  email: string;
  /** Whether it handles transfers to MLC cards. */
  handleMLC: boolean;
  /** Its id. */
  id: string;
  /** Its identity document's number. */
  identificationNumber: string | null;
  /** Whether it may log in and be used. */
  isActive: boolean;
  /** Its driving licence. */
  license: string | null;
  /** Where it lives. */
  municipality: string | null;
  /** Its name; empty when it was erased. */
  name: string;
  /** Another telephone. */
  phone2: string | null;
  /** Its telephone. */
  phoneNumber: string | null;
  /** The province's name. */
  province: string | null;
  /** Where it distributes. */
  provinceId: string | null;
  /** The numbers kept before today's rules, or taken over from elsewhere, that these rules refuse: a field that is
    changed must be corrected. */
  toCorrect: string[];
  /** Dealer or delivery man. */
  type: DealerType;
  /** When it was last changed. */
  updated: string;
  /** Postal code. */
  zipcode: string | null;
  /** The municipalities where it distributes. */
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
  /** First line of the address. */
  addressLine1?: string | null;
  /** Second line of the address. */
  addressLine2?: string | null;
  /** Third line of the address. */
  addressLine3?: string | null;
  /** ISO 3166-1 country. */
  country?: string | null;
  /** The address that it logs in with. */
  email: string;
  /** Whether it handles transfers to MLC cards. */
  handleMLC?: boolean;
  /** Number of the identity document. */
  identificationNumber?: string | null;
  /** Whether it may log in and be used; true for a new one where absent. */
  isActive?: boolean;
  /** Driving licence. */
  license?: string | null;
  /** Where it lives. */
  municipality?: string | null;
  /** Its name. */
  name: string;
  /** 8 to 15 characters: a digit, a special character, an upper and a lower case letter, no blanks. */
  password: string;
  /** Telephone, by another name. */
  phone?: string | null;
  /** Another telephone. */
  phone2?: string | null;
  /** Telephone. */
  phoneNumber?: string | null;
  /** The province that it distributes in. */
  provinceId?: string;
  /** Postal code. */
  zipcode?: string | null;
  /** The municipalities that it distributes in. */
  zones?: string[];
};
export type DealerChangeInput = {
  /** First line of the address. */
  addressLine1?: string | null;
  /** Second line of the address. */
  addressLine2?: string | null;
  /** Third line of the address. */
  addressLine3?: string | null;
  /** ISO 3166-1 country. */
  country?: string | null;
  /** The address that it logs in with. */
  email: string;
  /** Whether it handles transfers to MLC cards. */
  handleMLC?: boolean;
  /** Which one, where the address does not say. */
  id?: string;
  /** Number of the identity document. */
  identificationNumber?: string | null;
  /** Whether it may log in and be used; true for a new one where absent. */
  isActive?: boolean;
  /** Driving licence. */
  license?: string | null;
  /** Where it lives. */
  municipality?: string | null;
  /** Its name. */
  name: string;
  /** Another password; the present one stays where absent. */
  password?: string | null;
  /** Telephone, by another name. */
  phone?: string | null;
  /** Another telephone. */
  phone2?: string | null;
  /** Telephone. */
  phoneNumber?: string | null;
  /** The province that it distributes in. */
  provinceId?: string;
  /** The values of the fields that are sent, as they were read. With it what is absent stays, and what
    another changed since is refused (409 `changed_since_read`). */
  was?: object | null;
  /** Postal code. */
  zipcode?: string | null;
  /** The municipalities that it distributes in. */
  zones?: string[];
};
export type DirectoryDealer = {
  /** Its id. */
  id: string;
  /** Its name. */
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
  /** How much. */
  amount: MoneyInput;
  /** What for. */
  concept: string;
  /** The currency. */
  currency: string;
};
export type ExpectedInput = {
  /** What the receiver gets: a sale's payout, the balance assigned, what an exchange gives. */
  payout?: MoneyInput;
  /** What is paid or owed for it: a sale's total in USD, the USD value of an assignment, what a payment takes. */
  totalToPay?: MoneyInput;
};
export type DealerTransferInput = {
  /** How much of it. */
  amount: MoneyInput;
  /** The currency given. */
  currency: string;
  /** The figures that the person confirmed; nothing is done at others. */
  expected?: ExpectedInput;
  /** Who gives. */
  from: string;
  /** A note. */
  note?: string | null;
  /** Units of `toCurrency` for one of `currency`. */
  rate?: DecimalInput;
  /** Who receives. */
  to?: string;
  /** The currency received, where it is another. */
  toCurrency?: string;
  /** Whether the manager receives, in place of `to`. */
  toManager?: boolean;
};
export type DeliveryManInput = {
  /** First line of the address. */
  addressLine1?: string | null;
  /** Second line of the address. */
  addressLine2?: string | null;
  /** Third line of the address. */
  addressLine3?: string | null;
  /** ISO 3166-1 country. */
  country?: string | null;
  /** His dealer; a dealer need not name itself. */
  dealerId?: string;
  /** The address that it logs in with. */
  email: string;
  /** Whether it handles transfers to MLC cards. */
  handleMLC?: boolean;
  /** Number of the identity document. */
  identificationNumber?: string | null;
  /** Whether it may log in and be used; true for a new one where absent. */
  isActive?: boolean;
  /** Driving licence. */
  license?: string | null;
  /** Where it lives. */
  municipality?: string | null;
  /** Its name. */
  name: string;
  /** 8 to 15 characters: a digit, a special character, an upper and a lower case letter, no blanks. */
  password: string;
  /** Telephone, by another name. */
  phone?: string | null;
  /** Another telephone. */
  phone2?: string | null;
  /** Telephone. */
  phoneNumber?: string | null;
  /** Postal code. */
  zipcode?: string | null;
};
export type DeliveryManChangeInput = {
  /** First line of the address. */
  addressLine1?: string | null;
  /** Second line of the address. */
  addressLine2?: string | null;
  /** Third line of the address. */
  addressLine3?: string | null;
  /** ISO 3166-1 country. */
  country?: string | null;
  /** His dealer, who does not change. */
  dealerId?: string | null;
  /** The address that it logs in with. */
  email: string;
  /** Whether it handles transfers to MLC cards. */
  handleMLC?: boolean;
  /** Number of the identity document. */
  identificationNumber?: string | null;
  /** Whether it may log in and be used; true for a new one where absent. */
  isActive?: boolean;
  /** Driving licence. */
  license?: string | null;
  /** Where it lives. */
  municipality?: string | null;
  /** Its name. */
  name: string;
  /** Another password; the present one stays where absent. */
  password?: string | null;
  /** Telephone, by another name. */
  phone?: string | null;
  /** Another telephone. */
  phone2?: string | null;
  /** Telephone. */
  phoneNumber?: string | null;
  /** The values of the fields that are sent, as they were read. With it what is absent stays, and what
    another changed since is refused (409 `changed_since_read`). */
  was?: object | null;
  /** Postal code. */
  zipcode?: string | null;
};
export type News = {
  /** Who is paid by a remittance, or who received, else gave, in a movement; null where the record is not, or no
    longer, in the caller's scope. */
  about: string | null;
  /** Who did it. */
  actor: HistoryActor;
  /** What a remittance pays out, or a movement moved; empty where the record is not, or no longer, in the caller's
    scope. */
  amounts: MovementAmount[];
  /** When. */
  at: string;
  customerType: CustomerType | null;
  /** The event's type. */
  eventType: string;
  /** Which one. */
  id: string;
  /** Whether the record can be looked at by the caller: false for what was deleted, or is not in scope any more. */
  isVisible: boolean;
  /** What sort of record. */
  kind: StreamKind;
  /** The record's number or name as it is now; null where it has none, or the person was erased. */
  name: string | null;
  /** Where in the tenant's log. */
  position: number;
};
export type NewsList = {
  /** The last one first. */
  news: News[];
  /** Those of the positions whose changes are no longer kept: the newest 20,000 of the tenant are. */
  tooOld: number[];
};
export type StoredFile = {
  /** The SHA-256 of its content, in hexadecimal. */
  id: string;
  /** What it is. */
  mediaType: string;
  /** Its size in bytes. */
  size: number;
  /** Where it is served. */
  url: string;
};
export type UploadInput = {
  /** The image. */
  file: Blob;
};
export type NamedPlace = {
  /** ISO 3166 code; a city's own name. */
  code: string;
  /** The same as code. */
  id: string;
  /** In the caller's language. */
  name: string;
};
export type NamedPlaceList = {
  /** All of them: countries and states by name, cities by how often they are used. */
  results: NamedPlace[];
};
export type Municipality = {
  /** The statistics office's number. */
  code: string;
  distributionFee: Money | null;
  distributionFeeCurrency: CurrencyCode | null;
  /** Whether remittances may go there. */
  enabled: boolean;
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** Its province. */
  provinceId: string;
  /** Its province's name. */
  provinceName: string;
};
export type MunicipalityList = {
  /** In the order of their codes. */
  results: Municipality[];
};
export type Province = {
  /** The statistics office's number. */
  code: string;
  /** Whether remittances may go there. */
  enabled: boolean;
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
};
export type ProvinceList = {
  /** In the order of their codes. */
  results: Province[];
};
export type Currency = {
  /** Whether it counts in consolidated totals. */
  accounted: boolean;
  /** Its code. */
  code: CurrencyCode;
  /** Fixed distribution fee per delivery, in this currency. */
  distributionRate: Money;
  /** Whether it may be used. */
  enabled: boolean;
  /** Reference units per 1 USD. */
  exchangeRate: Decimal;
  /** Its id. */
  id: string;
  /** Its symbol. */
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
  /** Whether it counts in consolidated totals. */
  accounted: boolean;
  /** Three upper-case letters. */
  code: string;
  /** Fixed fee of a delivery in it. */
  distributionRate: MoneyInput;
  /** Whether it may be used. */
  enabled: boolean;
  /** Reference units of it per USD. */
  exchangeRate: DecimalInput;
  /** What stands before its amounts. */
  symbol: string;
  /** The values of the fields that are sent, as they were read: what another changed since is refused
    (409 `changed_since_read`). */
  was?: object | null;
};
export type MunicipalityInput = {
  distributionFee?: MoneyInput | null;
  distributionFeeCurrency?: CurrencyCode | null;
  /** Whether remittances may go there. */
  enabled?: boolean;
  /** Its name, which does not change. */
  name?: string;
  /** The values of the fields that are sent, as they were read: what another changed since is refused
    (409 `changed_since_read`). */
  was?: object | null;
};
export type PaymentGroupRef = {
  /** Which one. */
  id: string;
};
export type PaymentGroup = {
  /** An agency's: the default, or that of the terms. */
  agencyCommission: Commission;
  /** An agent's: the default, or that of the terms. */
  agentCommission: Commission;
  /** What is sold: USD. */
  currencyFrom: CurrencyCode;
  /** What is paid out. */
  currencyTo: CurrencyCode;
  /** Units of `currencyTo` per USD. */
  exchangeRate: Decimal;
  /** The catalogue group's id. */
  id: string;
  /** Whether it may be sold. */
  isActive: boolean;
  /** The manager's commission. */
  managerCommission: ManagerCommission;
  /** Its name, or the party's own name for it. */
  name: string;
  /** Whose terms these are. */
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
export type ManagerCommissionInput = {
  /** Percentage of the amount, -100 to 100. */
  rate: DecimalInput;
};
export type PaymentGroupInput = {
  /** The default of an agency's terms; 0 % where absent. */
  agencyCommission?: CommissionInput;
  /** The default of an agent's terms; 0 % where absent. */
  agentCommission?: CommissionInput;
  /** What it sells: always USD. */
  currencyFrom?: string;
  /** What it pays out; fixed once made. */
  currencyTo: string;
  /** Units of `currencyTo` per USD, unless a party's terms say otherwise. */
  exchangeRate: DecimalInput;
  /** Which one, where the address does not say. */
  id?: string;
  /** Whether it may be sold; true where absent. */
  isActive?: boolean;
  /** The manager's commission. */
  managerCommission: ManagerCommissionInput;
  /** Its name, unique among the groups. */
  name: string;
  /** The catalogue's groups are of type 0. */
  type?: PaymentGroupType;
  /** The values of the fields that are sent, as they were read: what another changed since is refused
    (409 `changed_since_read`). */
  was?: object | null;
};
export type ProvinceInput = {
  /** Whether remittances may go there. */
  enabled?: boolean;
  /** Its name, which does not change. */
  name?: string;
};
export type RateOwner = {
  agency: Ref | null;
  currency: CurrencyCode | null;
  /** The currency, of a reference rate. */
  currencyId: string | null;
  /** `reference`, `catalogue` or `terms`. */
  kind: string;
  party: Ref | null;
  /** The payment group, of the catalogue or of terms. */
  paymentGroupId: string | null;
  /** The payment group's name. */
  paymentGroupName: string | null;
  userType: UserType | null;
};
export type TodaysRate = RateOwner & {
  /** Whether it may be used: the currency, the group and the party's terms are in use. */
  isActive: boolean;
  /** Units of the currency per USD. */
  rate: Decimal;
};
export type RateSheet = {
  /** The reference rates, those of the catalogue, and those of parties. */
  results: TodaysRate[];
};
export type ChangedRate = RateOwner & {
  /** What it was right before; for one to come, when it was scheduled. */
  from: Decimal;
  /** What it is set to. */
  to: Decimal;
};
export type RateChange = {
  /** What the caller may do with it now, and why not the rest. */
  actions: RowAction[];
  /** For when it was scheduled; null where it took effect at once. */
  at: string | null;
  /** When it was asked for. */
  created: string;
  createdBy: Ref | null;
  /** When it took effect. */
  effectiveAt: string | null;
  /** When it was withdrawn or undone. */
  endedAt: string | null;
  endedBy: Ref | null;
  /** Its id. */
  id: string;
  /** What it sets. */
  rates: ChangedRate[];
  /** What was scheduled and was there no more when the moment came. */
  skipped: RateOwner[];
  /** `scheduled`, `effective`, `canceled` before it took effect, or `undone` afterwards. */
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
  /** The currency, of a reference rate. */
  currencyId?: string | null;
  from?: DecimalInput | null;
  /** `reference` of a currency, `catalogue` of a payment group, or `terms` of a party for a payment group. */
  kind: string;
  /** The party, of terms. */
  partyId?: string | null;
  /** The payment group, of the catalogue or of terms. */
  paymentGroupId?: string | null;
  /** What it is to be. */
  to: DecimalInput;
};
export type RateChangeInput = {
  /** When it takes effect, at most a year ahead; at once where absent. */
  at?: string | null;
  /** What is to be set; at most 1,000 rates, each once. */
  rates: WantedRateInput[];
};
export type RemittanceAct =
  "complete" | "assign" | "editDetails" | "editAmount" | "error" | "cancel";
export type RemittanceAction = {
  /** The act. */
  action: RemittanceAct;
  /** The code that it would be refused with; null where it is allowed. `role_not_allowed` where it is never the
    caller's. */
  refusal: string | null;
};
export type RemittanceAddress = {
  /** The remittance's own address, else the recipient's. */
  addressLine: string | null;
  /** The municipality's name. */
  municipality: string | null;
  /** The municipality. */
  municipalityId: string | null;
  /** The province's name. */
  province: string | null;
  /** The province. */
  provinceId: string | null;
};
export type DeliveryMethod = "home" | "card";
export type RemittanceProof = {
  /** The address of the signature. */
  firmPicture: string | null;
  /** The address of the identification's photograph, or of the transfer's proof. */
  identificationDocument: string | null;
};
export type RemittancePerson = {
  /** The customer. */
  id: string;
  /** Identity document's number. Null for a sender, where a delivery man asks. */
  identificationNumber: string | null;
  /** Full name; null when erased. */
  name: string | null;
  /** Telephone. Null for a sender, where a delivery man asks. */
  phoneNumber: string | null;
};
export type RemittanceRepresentative = {
  /** Identity document's number. */
  identificationNumber: string | null;
  /** Full name. */
  name: string;
  /** Telephone. */
  phoneNumber: string | null;
};
export type RemittanceStatus = 0 | 1 | 2 | 3 | 4;
export type Remittance = {
  /** What the caller may do to it now, and why not the rest. */
  actions: RemittanceAction[];
  address: RemittanceAddress | null;
  agency: Ref | null;
  agencyFee: Money | null;
  agent: Ref | null;
  agentFee: Money | null;
  amount: Money | null;
  /** When it was given to its dealer or delivery man. */
  assigned: string | null;
  card: Card | null;
  /** Its human number, `R-000001`. */
  code: string;
  /** When it was recorded as delivered. */
  completed: string | null;
  /** When it was sold. */
  created: string;
  /** What is sold: USD. */
  currencyFrom: CurrencyCode;
  /** What is paid out. */
  currencyTo: CurrencyCode;
  dealer: Ref | null;
  /** When it was delivered: before `completed` where a telephone without a network sent it later. */
  delivered: string | null;
  deliveryMan: Ref | null;
  /** How it is paid. */
  deliveryMethod: DeliveryMethod;
  distributionFee: Money | null;
  exchangeRate: Decimal | null;
  /** The group's name. */
  groupName: string;
  /** Its id. */
  id: string;
  managerFee: Money | null;
  /** The seller's notes. */
  notes: string | null;
  /** The payment group. */
  paymentGroupId: string;
  /** What is paid out, in `currencyTo`. */
  payout: Money;
  /** What proves the delivery. */
  proof: RemittanceProof;
  /** Why it stands in error or was canceled. */
  reason: string | null;
  /** Who is paid. */
  recipient: RemittancePerson;
  /** The seller's own reference. */
  reference: string | null;
  representative: RemittanceRepresentative | null;
  /** Who sends. */
  sender: RemittancePerson;
  /** Where it stands. */
  status: RemittanceStatus;
  /** Whether the recipient's authorised representative took it. */
  toRepresentative: boolean;
  totalFee: Money | null;
  totalToPay: Money | null;
  /** When it was last changed. */
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
  /** The agency's commission. */
  agencyFee: Money;
  /** The agent's commission. */
  agentFee: Money;
  /** What is sent. */
  amount: Money;
  /** The currency paid out. */
  currencyTo: CurrencyCode;
  /** Units of `currencyTo` per USD. */
  exchangeRate: Decimal;
  /** The manager's commission. */
  managerFee: Money;
  /** What is paid out, in `currencyTo`. */
  payout: Money;
  /** What is left of the seller's balance in this group after this sale, in `currencyTo`; negative when it draws on
    the credit limit or exceeds it. */
  remainingBalance: Money;
  /** All commissions. */
  totalFee: Money;
  /** The amount and all commissions. */
  totalToPay: Money;
};
export type RemittanceCreated = {
  /** Its human number. */
  code: string;
  /** Its id. */
  id: string;
  /** What it costs and pays. */
  quote: Quote;
  /** Pending 0. */
  status: RemittanceStatus;
};
export type RemittanceInput = {
  /** The seller, where it is an agency. */
  agencyId?: string | null;
  /** The seller, where it is an agent. */
  agentId?: string | null;
  /** What is sent, in USD. */
  amount: MoneyInput;
  /** The card of a transfer. */
  cardId?: string | null;
  /** home: cash at the recipient's address; card: transfer to one of the recipient's cards. */
  deliveryMethod: DeliveryMethod;
  /** The figures that the person confirmed; nothing is done at others. */
  expected?: ExpectedInput;
  /** The seller's notes. */
  notes?: string | null;
  /** A group that the seller holds. */
  paymentGroupId: string;
  /** One of the sender's recipients. */
  recipientId: string;
  /** The seller's own reference. */
  reference?: string | null;
  /** The sender. */
  senderId: string;
};
export type PreviewedAccount = {
  after: Money | null;
  before: Money | null;
  /** Its kind. */
  kind: string;
  /** The party that it belongs to. */
  ownerId: string | null;
  /** The payment group of a balance. */
  paymentGroupId: string | null;
};
export type PreviewedTransfer = {
  /** How much, above 0. */
  amount: Money;
  /** Why. */
  code: string;
  /** The account credited. */
  credit: PreviewedAccount;
  /** The currency. */
  currency: CurrencyCode;
  /** The account debited. */
  debit: PreviewedAccount;
};
export type Warning = Said & {
  /** Stable. */
  code: string;
  /** In the caller's language. */
  detail: string;
};
export type Preview = {
  figures: Figures | null;
  remainingBalance: Money | null;
  /** The remittance's status afterwards. */
  status: number | null;
  /** What would be posted, in order, as far as the caller sees the accounts. */
  transfers: PreviewedTransfer[];
  /** What deserves a look although it would be done. */
  warnings: Warning[];
};
export type BulkAssignRow = {
  /** The remittance. */
  id: string;
  /** Whether it was assigned. */
  ok: boolean;
  /** What it would do, where a preview was asked for. */
  preview?: Preview;
  problem: Problem | null;
  /** What deserves a look although it was. */
  warnings: Warning[];
};
export type BulkAssignResult = {
  /** One row a remittance. */
  results: BulkAssignRow[];
};
export type BulkAssignInput = {
  /** The dealer. */
  dealerId: string;
  /** One of the dealer's delivery men. */
  deliveryManId?: string | null;
  /** Which, each once; at most 200. */
  remittanceIds: string[];
};
export type DealerDeskInput = {
  /** Their ids. */
  agencyIds?: string[] | null;
};
export type RemittanceDetailsInput = {
  /** Another address; null goes back to the recipient's own. */
  address?: string | null;
  /** The card of a transfer. */
  cardId?: string | null;
  /** home or card. */
  deliveryMethod?: DeliveryMethod;
  /** The municipality of that address. */
  municipalityId?: string;
  /** The seller's notes; null removes them. */
  notes?: string | null;
  /** The province of that address. */
  provinceId?: string;
  /** Another of the sender's recipients. */
  recipientId?: string;
  /** The seller's own reference, unique among the seller's; null removes it. */
  reference?: string | null;
  /** The values of the fields that are sent, as they were read: what another changed since is refused
    (409 `changed_since_read`). */
  was?: object | null;
};
export type DisputeStatus = "open" | "settled";
export type DeliveryDispute = {
  /** What the caller may do with it now, and why not the rest. */
  actions: RowAction[];
  /** The remittance's human number, `R-000001`. */
  code: string;
  /** The payout's currency. */
  currencyTo: CurrencyCode;
  dealer: Ref | null;
  /** When it was delivered, as the telephone says; null where it did not say. */
  delivered: string | null;
  /** The address of the signature. */
  firmPicture: string | null;
  /** The address of the identification's photograph, or of the transfer's proof; null when erased. */
  identificationDocument: string | null;
  /** The dispute's number within the remittance, from 1. */
  number: number;
  /** What was to be paid out, in `currencyTo`. */
  payout: Money;
  /** The recipient's name; null when erased. */
  recipient: string | null;
  /** The code of the refusal: the remittance's state when the delivery was sent. */
  refused: string;
  /** The remittance. */
  remittanceId: string;
  /** Where the remittance stands. */
  remittanceStatus: RemittanceStatus;
  /** Who says that he delivered. */
  reportedBy: Ref;
  /** When the telephone sent it. */
  sent: string;
  /** When it was settled. */
  settled: string | null;
  settledBy: HistoryActor | null;
  /** What was found and done; null where it is open or erased. */
  settlement: string | null;
  /** Where it stands. */
  status: DisputeStatus;
  /** Whether the recipient's authorised representative took it. */
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
  /** The currency paid out. */
  currency: CurrencyCode;
  /** What is paid out for them, in the currency. */
  payout: Money;
  /** How many. */
  remittances: number;
};
export type StatusSummary = {
  /** By the currency paid out, in the order of its code. */
  payouts: PayoutSummary[];
  /** How many. */
  remittances: number;
  /** The state. */
  status: RemittanceStatus;
};
export type RemittanceSummary = {
  /** One row for each state, also where there are none. */
  statuses: StatusSummary[];
  /** How many in all. */
  total: number;
};
export type RemittanceAmountInput = {
  /** What is sent from now on, in USD. */
  amount: MoneyInput;
  /** The figures that the person confirmed; nothing is done at others. */
  expected?: ExpectedInput;
  /** The group from now on. */
  paymentGroupId: string;
};
export type ChangedRemittance = Remittance & {
  warnings?: Warning[];
};
export type AssignDealerInput = {
  /** The dealer. */
  dealerId: string;
  /** One of his delivery men; nobody where absent. */
  deliveryManId?: string | null;
};
export type AttemptReason =
  | "nobodyHome"
  | "noAnswer"
  | "wrongAddress"
  | "noDocument"
  | "postponed"
  | "refused"
  | "unreachable";
export type AttemptInput = {
  /** When it was tried, where it is sent later: between the assignment and now, at most 30 days ago. */
  attemptedAt?: string | null;
  /** Why it failed. */
  reason: AttemptReason;
};
export type ReasonInput = {
  /** The reason, in the caller's words. */
  reason: string;
};
export type DisputedDelivery = {
  /** Its human number. */
  code: string;
  /** The refusal in the caller's language. */
  detail: string;
  /** The remittance. */
  id: string;
  /** What was kept as its proof. */
  proof: RemittanceProof;
  /** The code of the refusal. */
  refused: string;
};
export type CompleteInput = {
  /** When it was delivered, where it is sent later: between the assignment and now, at most 30 days ago. */
  deliveredAt?: string;
  /** The recipient's signature. */
  firmPicture?: Blob;
  /** The id of a file that already proves a delivery, in place of `firmPicture`. */
  firmPictureId?: string;
  /** Photograph of the identification, or the transfer's proof. */
  identificationDocument?: Blob;
  /** In place of `identificationDocument`: the id of a file that proves another delivery that the caller sees, as of
    several remittances at one door. */
  identificationDocumentId?: string;
  /** Whether it was made without a network: true or false. Where the remittance was canceled or given to another
    meanwhile, the delivery is then kept with its proof as a dispute (202), in place of being refused. */
  orDispute?: string;
  /** Whether the recipient's authorised representative took it: true or false. */
  toRepresentative?: string;
};
export type SettledDispute = {
  /** The remittance. */
  id: string;
  /** The dispute's number within the remittance. */
  number: number;
};
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
  | "disputeSettled";
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
  /** After it. */
  after: string | null;
  /** Before the edit. */
  before: string | null;
  /** Which. */
  field: RemittanceField;
};
export type RemittanceHistoryItem = {
  /** Who did it. */
  actor: HistoryActor;
  amount: Money | null;
  /** When it was recorded. */
  at: string;
  attemptReason: AttemptReason | null;
  /** What. */
  change: RemittanceChange;
  /** What an edit changed, field by field. */
  changes: RemittanceFieldChange[];
  currencyTo: CurrencyCode | null;
  dealer: Ref | null;
  deliveryMan: Ref | null;
  fromStatus: RemittanceStatus | null;
  /** When it happened, where a telephone without a network sent it later. */
  occurred: string | null;
  payout: Money | null;
  /** The event's position in the tenant's log. */
  position: number;
  /** Why, where a reason is given. */
  reason: string | null;
  /** The code of the refusal of a disputed delivery. */
  refused: string | null;
  /** The status afterwards. */
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
export type RemittanceTerms = {
  agencyCommission: Commission | null;
  agentCommission: Commission | null;
  /** What is sold: USD. */
  currencyFrom: CurrencyCode;
  /** What is paid out. */
  currencyTo: CurrencyCode;
  /** Units of `currencyTo` per USD. */
  exchangeRate: Decimal;
  /** The group's name. */
  groupName: string;
  /** The manager's commission. */
  managerCommission: ManagerCommission;
  /** The payment group. */
  paymentGroupId: string;
  /** The remittance. */
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
export type DebitOrigin = "assignment" | "closure";
export type DebitStatus = "open" | "settled" | "void";
export type Debit = {
  /** What the caller may do with it now, and why not the rest. */
  actions: RowAction[];
  /** How much was owed, in USD. */
  amount: Money;
  /** When it was opened. */
  created: string;
  creditor: Ref | null;
  /** Who owes. */
  debtor: Ref;
  /** Its id. */
  id: string;
  /** How it came to be. */
  origin: DebitOrigin;
  /** The movement or closure that it came from. */
  originId: string;
  /** How much of it is owed still; 0 where void. */
  outstanding: Money;
  /** How much of it is paid. */
  paid: Money;
  /** When it was paid in full. */
  settled: string | null;
  /** Where it stands. */
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
  /** How much. */
  amount: MoneyInput;
  /** The currency of cash. */
  currency?: string;
  /** The figures that the person confirmed; nothing is done at others. */
  expected?: ExpectedInput;
  /** A note. */
  note?: string | null;
  /** Whether a seller owes it rather than having paid; false where absent. */
  onCredit?: boolean;
  /** The group of a balance. */
  paymentGroupId?: string;
};
export type PayDebitsInput = {
  /** How much of them, in USD. */
  amount?: MoneyInput;
  /** Which, each once; at most 200. */
  debitIds: string[];
  /** The figures that the person confirmed; nothing is done at others. */
  expected?: ExpectedInput;
  /** A note. */
  note?: string | null;
};
export type User = {
  /** What the caller may do with it now, and why not the rest. */
  actions: RowAction[];
  agentType: AgentType | null;
  /** When it was made. */
  created: string;
  /** The address that it logs in with. */
  email: string;
  /** Its id. */
  id: string;
  /** Whether it may log in and be used. */
  isActive: boolean;
  /** When it last logged in or renewed its session. */
  lastAccess: string | null;
  /** Its name; empty when it was erased. */
  name: string;
  /** An agent's agency, or a delivery man's dealer. */
  ownerId: string | null;
  /** The owner's name. */
  ownerName: string | null;
  /** Its telephone. */
  phone: string | null;
  /** Its picture's address. */
  profilePicture: string | null;
  /** When it was last changed. */
  updated: string;
  /** Its role. */
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
  /** The address that it logs in with. */
  email: string;
  /** Whether it may log in; true where absent. */
  isActive?: boolean;
  /** Its name. */
  name: string;
  /** 8 to 15 characters: a digit, a special character, an upper and a lower case letter, no blanks. */
  password: string;
  /** Telephone. */
  phone?: string | null;
};
export type ChangePasswordInput = {
  /** The address that the caller logs in with, as in the path. */
  email: string;
  /** 8 to 15 characters: a digit, a special character, an upper and a lower case letter, no blanks. */
  newPassword: string;
  /** The present password. */
  oldPassword: string;
};
export type ProfileInput = {
  /** The address that one logs in with; another one than now needs `oldPassword`. */
  email?: string;
  /** One's name. */
  name?: string;
  /** The present password, where the address is to be another one. */
  oldPassword?: string | null;
  /** Id or address of a file that the caller uploaded; null removes the picture. */
  profilePicture?: string | null;
  /** The values of the fields that are sent, as they were read: what another changed since is refused
    (409 `changed_since_read`). */
  was?: object | null;
};
export type ResetPasswordInput = {
  /** The digits of the mail; blanks and hyphens between them do not matter. */
  code: string;
  /** 8 to 15 characters: a digit, a special character, an upper and a lower case letter, no blanks. */
  password: string;
};
export type UserChangeInput = {
  /** The address that it logs in with. */
  email?: string;
  /** Whether it may log in and be used. */
  isActive?: boolean;
  /** Its name. */
  name?: string;
  /** Another password; ends its sessions. */
  password?: string | null;
  /** Telephone; null takes it away. */
  phone?: string | null;
  /** The values of the fields that are sent, as they were read: what another changed since is refused
    (409 `changed_since_read`). */
  was?: object | null;
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
  useGetProofQuery,
  useLazyGetProofQuery,
  useGetQuarantineQuery,
  useLazyGetQuarantineQuery,
  useGetTimelineQuery,
  useLazyGetTimelineQuery,
  useGetVerificationQuery,
  useLazyGetVerificationQuery,
  useStartVerificationMutation,
  useLoginMutation,
  useLogoutMutation,
  useRefreshTokenMutation,
  useCreateCustomerMutation,
  useAddCardMutation,
  useListRecipientsQuery,
  useLazyListRecipientsQuery,
  useListSendersQuery,
  useLazyListSendersQuery,
  useUpdateCustomerMutation,
  useListCardsQuery,
  useLazyListCardsQuery,
  useGetCustomerQuery,
  useLazyGetCustomerQuery,
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
  useUploadFileMutation,
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
  useCancelRemittanceMutation,
  useCompleteRemittanceMutation,
  useSettleDeliveryDisputeMutation,
  useMarkRemittanceErrorMutation,
  useListRemittanceHistoryQuery,
  useLazyListRemittanceHistoryQuery,
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
  useGetPendingDistributorReportQuery,
  useLazyGetPendingDistributorReportQuery,
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
} = injectedRtkApi;
