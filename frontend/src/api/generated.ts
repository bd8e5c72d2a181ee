import { rootApi as api } from "./root";
export const addTagTypes = [
  "Session",
  "Profile",
  "Currencies",
  "Places",
  "PaymentGroups",
  "Agencies",
  "Agents",
  "Dealers",
  "Customers",
  "Quotes",
  "Remittances",
  "Movements",
  "Debits",
  "Closures",
  "Accounting",
  "Files",
  "Users",
  "World",
  "Dashboard",
] as const;
const injectedRtkApi = api
  .enhanceEndpoints({
    addTagTypes,
  })
  .injectEndpoints({
    endpoints: (build) => ({
      login: build.mutation<LoginApiResponse, LoginApiArg>({
        query: (queryArg) => ({
          url: `/api/auth0/login`,
          method: "POST",
          body: queryArg.loginRequest,
        }),
        invalidatesTags: ["Session"],
      }),
      refreshToken: build.mutation<RefreshTokenApiResponse, RefreshTokenApiArg>(
        {
          query: () => ({ url: `/api/auth0/token`, method: "POST" }),
          invalidatesTags: ["Session"],
        },
      ),
      logout: build.mutation<LogoutApiResponse, LogoutApiArg>({
        query: () => ({ url: `/api/auth0/logout`, method: "POST" }),
        invalidatesTags: ["Session"],
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
      getProfile: build.query<GetProfileApiResponse, GetProfileApiArg>({
        query: () => ({ url: `/api/users/profile` }),
        providesTags: ["Profile"],
      }),
      listCurrencies: build.query<
        ListCurrenciesApiResponse,
        ListCurrenciesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/currency`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            query: queryArg.query,
            sort: queryArg.sort,
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
      listProvinces: build.query<ListProvincesApiResponse, ListProvincesApiArg>(
        {
          query: () => ({ url: `/api/nomenclators/cuban_states` }),
          providesTags: ["Places"],
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
      listPaymentGroups: build.query<
        ListPaymentGroupsApiResponse,
        ListPaymentGroupsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/nomenclators/payment_group`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            Type: queryArg["type"],
            query: queryArg.query,
            sort: queryArg.sort,
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
      listAgencies: build.query<ListAgenciesApiResponse, ListAgenciesApiArg>({
        query: (queryArg) => ({
          url: `/api/agency`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            query: queryArg.query,
            sort: queryArg.sort,
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
      getAgency: build.query<GetAgencyApiResponse, GetAgencyApiArg>({
        query: (queryArg) => ({ url: `/api/agency/${queryArg.id}` }),
        providesTags: ["Agencies"],
      }),
      listAgents: build.query<ListAgentsApiResponse, ListAgentsApiArg>({
        query: (queryArg) => ({
          url: `/api/agent`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            AgentType: queryArg.agentType,
            AgencyId: queryArg.agencyId,
            query: queryArg.query,
            sort: queryArg.sort,
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
      updateAgent: build.mutation<UpdateAgentApiResponse, UpdateAgentApiArg>({
        query: (queryArg) => ({
          url: `/api/agent/${queryArg.id}`,
          method: "PUT",
          body: queryArg.agentChangeInput,
        }),
        invalidatesTags: ["Agents"],
      }),
      getAgent: build.query<GetAgentApiResponse, GetAgentApiArg>({
        query: (queryArg) => ({ url: `/api/agent/${queryArg.id}` }),
        providesTags: ["Agents"],
      }),
      listDealers: build.query<ListDealersApiResponse, ListDealersApiArg>({
        query: (queryArg) => ({
          url: `/api/dealer`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            ReceiverId: queryArg.receiverId,
            type: queryArg["type"],
            dealerId: queryArg.dealerId,
            query: queryArg.query,
            sort: queryArg.sort,
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
      listDealerDirectory: build.query<
        ListDealerDirectoryApiResponse,
        ListDealerDirectoryApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dealer/directory`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            query: queryArg.query,
          },
        }),
        providesTags: ["Dealers"],
      }),
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
      listSenders: build.query<ListSendersApiResponse, ListSendersApiArg>({
        query: (queryArg) => ({
          url: `/api/customer/sender`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            name: queryArg.name,
            senderId: queryArg.senderId,
            agencyId: queryArg.agencyId,
            sort: queryArg.sort,
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
            name: queryArg.name,
            senderId: queryArg.senderId,
            agencyId: queryArg.agencyId,
            sort: queryArg.sort,
          },
        }),
        providesTags: ["Customers"],
      }),
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
      getCustomer: build.query<GetCustomerApiResponse, GetCustomerApiArg>({
        query: (queryArg) => ({ url: `/api/customer/${queryArg.id}/details` }),
        providesTags: ["Customers"],
      }),
      addCard: build.mutation<AddCardApiResponse, AddCardApiArg>({
        query: (queryArg) => ({
          url: `/api/customer/add_card`,
          method: "POST",
          body: queryArg.addCardInput,
        }),
        invalidatesTags: ["Customers"],
      }),
      listCards: build.query<ListCardsApiResponse, ListCardsApiArg>({
        query: (queryArg) => ({
          url: `/api/customer/${queryArg.id}/cards`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
          },
        }),
        providesTags: ["Customers"],
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
      listRemittances: build.query<
        ListRemittancesApiResponse,
        ListRemittancesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            status: queryArg.status,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            currency: queryArg.currency,
            agencyId: queryArg.agencyId,
            agentId: queryArg.agentId,
            dealerId: queryArg.dealerId,
            provinceId: queryArg.provinceId,
            municipalityId: queryArg.municipalityId,
            deliveryMethod: queryArg.deliveryMethod,
            query: queryArg.query,
            sort: queryArg.sort,
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
      listRemittanceHistory: build.query<
        ListRemittanceHistoryApiResponse,
        ListRemittanceHistoryApiArg
      >({
        query: (queryArg) => ({
          url: `/api/remittances/${queryArg.id}/history`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
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
      listDebits: build.query<ListDebitsApiResponse, ListDebitsApiArg>({
        query: (queryArg) => ({
          url: `/api/sources/debits`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            status: queryArg.status,
            partyId: queryArg.partyId,
            sort: queryArg.sort,
          },
        }),
        providesTags: ["Debits"],
      }),
      payDebits: build.mutation<PayDebitsApiResponse, PayDebitsApiArg>({
        query: (queryArg) => ({
          url: `/api/sources/pay_debits`,
          method: "POST",
          body: queryArg.payDebitsInput,
        }),
        invalidatesTags: ["Debits"],
      }),
      closePeriod: build.mutation<ClosePeriodApiResponse, ClosePeriodApiArg>({
        query: (queryArg) => ({
          url: `/api/accounting/closures`,
          method: "POST",
          body: queryArg.closureInput,
        }),
        invalidatesTags: ["Closures"],
      }),
      listClosures: build.query<ListClosuresApiResponse, ListClosuresApiArg>({
        query: (queryArg) => ({
          url: `/api/accounting/closures`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            partyId: queryArg.partyId,
            sort: queryArg.sort,
          },
        }),
        providesTags: ["Closures"],
      }),
      listAccountBalances: build.query<
        ListAccountBalancesApiResponse,
        ListAccountBalancesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/accounting/balances`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            from: queryArg["from"],
            to: queryArg.to,
            at: queryArg.at,
          },
        }),
        providesTags: ["Accounting"],
      }),
      uploadFile: build.mutation<UploadFileApiResponse, UploadFileApiArg>({
        query: (queryArg) => ({
          url: `/api/files/uploadfile`,
          method: "POST",
          body: queryArg.uploadInput,
        }),
        invalidatesTags: ["Files"],
      }),
      listUsers: build.query<ListUsersApiResponse, ListUsersApiArg>({
        query: (queryArg) => ({
          url: `/api/users`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            userType: queryArg.userType,
            isActive: queryArg.isActive,
            query: queryArg.query,
            sort: queryArg.sort,
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
      deleteUser: build.mutation<DeleteUserApiResponse, DeleteUserApiArg>({
        query: (queryArg) => ({
          url: `/api/users/${queryArg.id}`,
          method: "DELETE",
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
      listCountries: build.query<ListCountriesApiResponse, ListCountriesApiArg>(
        {
          query: () => ({ url: `/api/nomenclators/countries` }),
          providesTags: ["World"],
        },
      ),
      listStates: build.query<ListStatesApiResponse, ListStatesApiArg>({
        query: (queryArg) => ({
          url: `/api/nomenclators/statescountry/country/${queryArg.code}`,
        }),
        providesTags: ["World"],
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
      listAgencyBalanceAssignments: build.query<
        ListAgencyBalanceAssignmentsApiResponse,
        ListAgencyBalanceAssignmentsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/agency/balance_assignments`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            AgencyId: queryArg.agencyId,
            sort: queryArg.sort,
          },
        }),
        providesTags: ["Agencies"],
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
      listAgentBalanceAssignments: build.query<
        ListAgentBalanceAssignmentsApiResponse,
        ListAgentBalanceAssignmentsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/agent/balance_assignments`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            AgentId: queryArg.agentId,
            sort: queryArg.sort,
          },
        }),
        providesTags: ["Agents"],
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
      listDealerBalanceAssignments: build.query<
        ListDealerBalanceAssignmentsApiResponse,
        ListDealerBalanceAssignmentsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dealer/balance_assignments`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            DealerId: queryArg.dealerId,
            sort: queryArg.sort,
          },
        }),
        providesTags: ["Dealers"],
      }),
      getMovement: build.query<GetMovementApiResponse, GetMovementApiArg>({
        query: (queryArg) => ({ url: `/api/sources/movements/${queryArg.id}` }),
        providesTags: ["Movements"],
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
          },
        }),
        providesTags: ["Dashboard"],
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
      listSellerRemittances: build.query<
        ListSellerRemittancesApiResponse,
        ListSellerRemittancesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/dashboard/agent/remittance`,
          params: {
            CurrentPage: queryArg.currentPage,
            RecordsPerPage: queryArg.recordsPerPage,
            initDate: queryArg.initDate,
            finalDate: queryArg.finalDate,
            rangeSelector: queryArg.rangeSelector,
            sort: queryArg.sort,
          },
        }),
        providesTags: ["Dashboard"],
      }),
      getAttention: build.query<GetAttentionApiResponse, GetAttentionApiArg>({
        query: () => ({ url: `/api/dashboard/attention` }),
        providesTags: ["Dashboard"],
      }),
    }),
    overrideExisting: false,
  });
export { injectedRtkApi as generatedApi };
export type LoginApiResponse =
  /** status 200 Log in; sets the refresh cookie. */ Login;
export type LoginApiArg = {
  loginRequest: LoginRequest;
};
export type RefreshTokenApiResponse =
  /** status 200 A new access token for the refresh cookie, which is rotated. */ AccessToken;
export type RefreshTokenApiArg = void;
export type LogoutApiResponse = unknown;
export type LogoutApiArg = void;
export type UpdateProfileApiResponse =
  /** status 200 Change one's own name, address and picture. */ Profile;
export type UpdateProfileApiArg = {
  profileInput: ProfileInput;
};
export type GetProfileApiResponse = /** status 200 Who is logged in. */ Profile;
export type GetProfileApiArg = void;
export type ListCurrenciesApiResponse =
  /** status 200 The currency nomenclator. */ CurrencyPage;
export type ListCurrenciesApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  query?: string;
  /** - in front: descending. */
  sort?: "code" | "-code";
};
export type CreateCurrencyApiResponse =
  /** status 201 Add a currency. */ Currency;
export type CreateCurrencyApiArg = {
  currencyInput: CurrencyInput;
};
export type DeleteCurrencyApiResponse = unknown;
export type DeleteCurrencyApiArg = {
  id: string;
};
export type UpdateCurrencyApiResponse =
  /** status 200 Change a currency. */ Currency;
export type UpdateCurrencyApiArg = {
  id: string;
  currencyInput: CurrencyInput;
};
export type ListProvincesApiResponse =
  /** status 200 Cuba's provinces. */ ProvinceList;
export type ListProvincesApiArg = void;
export type ListMunicipalitiesApiResponse =
  /** status 200 Cuba's municipalities. */ MunicipalityList;
export type ListMunicipalitiesApiArg = {
  provinceId?: string;
};
export type UpdateProvinceApiResponse =
  /** status 200 Change a province. */ Province;
export type UpdateProvinceApiArg = {
  id: string;
  provinceInput: ProvinceInput;
};
export type UpdateMunicipalityApiResponse =
  /** status 200 Change a municipality. */ Municipality;
export type UpdateMunicipalityApiArg = {
  id: string;
  municipalityInput: MunicipalityInput;
};
export type ListPaymentGroupsApiResponse =
  /** status 200 The payment group catalogue (Type 0) or the caller's own terms (Type 1). */ PaymentGroupPage;
export type ListPaymentGroupsApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  type?: PaymentGroupType;
  query?: string;
  /** - in front: descending. */
  sort?: "name" | "-name";
};
export type CreatePaymentGroupApiResponse =
  /** status 201 Add a payment group. */ PaymentGroup;
export type CreatePaymentGroupApiArg = {
  paymentGroupInput: PaymentGroupInput;
};
export type UpdateAgencyApiResponse =
  /** status 200 Change an agency that the body names. */ Agency;
export type UpdateAgencyApiArg = {
  agencyChangeInput: AgencyChangeInput;
};
export type ListAgenciesApiResponse =
  /** status 200 Agencies with their terms and balances. */ AgencyPage;
export type ListAgenciesApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  query?: string;
  /** - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
};
export type CreateAgencyApiResponse = /** status 201 Add an agency. */ Created;
export type CreateAgencyApiArg = {
  agencyInput: AgencyInput;
};
export type DeactivateAgencyApiResponse =
  /** status 200 Delete an agency: it cannot be used any more, its history stays. A body is not read. */ Agency;
export type DeactivateAgencyApiArg = {
  id: string;
};
export type GetAgencyApiResponse = /** status 200 One agency. */ Agency;
export type GetAgencyApiArg = {
  id: string;
};
export type ListAgentsApiResponse =
  /** status 200 Agents with their terms and balances. */ AgentPage;
export type ListAgentsApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  agentType?: AgentType;
  agencyId?: string;
  query?: string;
  /** - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
};
export type CreateAgentApiResponse = /** status 201 Add an agent. */ Created;
export type CreateAgentApiArg = {
  agentInput: AgentInput;
};
export type UpdateAgentApiResponse = /** status 200 Change an agent. */ Agent;
export type UpdateAgentApiArg = {
  id: string;
  agentChangeInput: AgentChangeInput;
};
export type GetAgentApiResponse = /** status 200 One agent. */ Agent;
export type GetAgentApiArg = {
  id: string;
};
export type ListDealersApiResponse =
  | /** status 200 Dealers and delivery men; a single item when ReceiverId is given. */ DealerPage
  | Dealer;
export type ListDealersApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  /** Id of one dealer or delivery man. */
  receiverId?: string;
  type?: DealerType;
  /** The delivery men of this dealer. */
  dealerId?: string;
  query?: string;
  /** - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
};
export type CreateDealerApiResponse = /** status 201 Add a dealer. */ Created;
export type CreateDealerApiArg = {
  dealerInput: DealerInput;
};
export type ListDealerDirectoryApiResponse =
  /** status 200 Id and name of the active dealers. */ DirectoryDealerPage;
export type ListDealerDirectoryApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  query?: string;
};
export type CreateDeliveryManApiResponse =
  /** status 201 Add a delivery man. */ Created;
export type CreateDeliveryManApiArg = {
  deliveryManInput: DeliveryManInput;
};
export type ListSendersApiResponse = /** status 200 Senders. */ CustomerPage;
export type ListSendersApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  /** Searches names and phones. */
  name?: string;
  senderId?: string;
  agencyId?: string;
  /** - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
};
export type ListRecipientsApiResponse =
  /** status 200 Recipients. */ CustomerPage;
export type ListRecipientsApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  /** Searches names, phones and identification numbers. */
  name?: string;
  senderId?: string;
  agencyId?: string;
  /** - in front: descending. */
  sort?: "name" | "-name" | "created" | "-created";
};
export type CreateCustomerApiResponse =
  /** status 201 Add a sender or a recipient. */ Created;
export type CreateCustomerApiArg = {
  customerInput: CustomerInput;
};
export type UpdateCustomerApiResponse =
  /** status 200 Change a sender or a recipient. */ Customer;
export type UpdateCustomerApiArg = {
  id: string;
  customerInput: CustomerInput;
};
export type GetCustomerApiResponse =
  /** status 200 One sender or recipient. */ Customer;
export type GetCustomerApiArg = {
  id: string;
};
export type AddCardApiResponse =
  /** status 201 Keep a card for a recipient. */ Card;
export type AddCardApiArg = {
  addCardInput: AddCardInput;
};
export type ListCardsApiResponse =
  /** status 200 A recipient's cards. */ CardPage;
export type ListCardsApiArg = {
  id: string;
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
};
export type GetQuoteApiResponse =
  /** status 200 Quote an amount, or backwards a wanted payout. Exactly one of Amount and Payout. */ Quote;
export type GetQuoteApiArg = {
  /** The catalogue group. */
  paymentGroupId: string;
  /** USD */
  amount?: string;
  /** In the group's currencyTo. */
  payout?: string;
  /** A manager names the seller. */
  sellerId?: string;
};
export type ListRemittancesApiResponse =
  /** status 200 Remittances in the caller's scope. */ RemittancePage;
export type ListRemittancesApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  status?: RemittanceStatus;
  /** First day, YYYYMMDD in the tenant's zone. */
  initDate?: string;
  /** Last day, inclusive. */
  finalDate?: string;
  /** currencyTo */
  currency?: string;
  agencyId?: string;
  agentId?: string;
  dealerId?: string;
  provinceId?: string;
  municipalityId?: string;
  deliveryMethod?: DeliveryMethod;
  /** Code, reference, names, phones. */
  query?: string;
  /** - in front: descending. */
  sort?:
    | "created"
    | "-created"
    | "updated"
    | "-updated"
    | "code"
    | "-code"
    | "amount"
    | "-amount"
    | "payout"
    | "-payout"
    | "status"
    | "-status";
};
export type CreateRemittanceApiResponse =
  /** status 201 Sell a remittance. */ RemittanceCreated;
export type CreateRemittanceApiArg = {
  remittanceInput: RemittanceInput;
};
export type GetRemittanceApiResponse =
  /** status 200 One remittance. */ Remittance;
export type GetRemittanceApiArg = {
  id: string;
};
export type UpdateRemittanceAmountApiResponse =
  /** status 200 Change the amount or the group. */ Remittance;
export type UpdateRemittanceAmountApiArg = {
  id: string;
  remittanceAmountInput: RemittanceAmountInput;
};
export type UpdateRemittanceDetailsApiResponse =
  /** status 200 Change recipient, address, delivery method, card or notes. */ Remittance;
export type UpdateRemittanceDetailsApiArg = {
  id: string;
  remittanceDetailsInput: RemittanceDetailsInput;
};
export type ListRemittanceHistoryApiResponse =
  /** status 200 What happened to a remittance, oldest first. */ RemittanceHistoryPage;
export type ListRemittanceHistoryApiArg = {
  id: string;
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
};
export type GetRemittanceTermsApiResponse =
  /** status 200 The terms frozen into a remittance. */ RemittanceTerms;
export type GetRemittanceTermsApiArg = {
  id: string;
};
export type AssignDealerApiResponse =
  /** status 200 Assign to a dealer, or to a delivery man. */ Remittance;
export type AssignDealerApiArg = {
  id: string;
  assignDealerInput: AssignDealerInput;
};
export type AssignDealerInBulkApiResponse =
  /** status 200 Assign several to a dealer. */ BulkAssignResult;
export type AssignDealerInBulkApiArg = {
  bulkAssignInput: BulkAssignInput;
};
export type MarkRemittanceErrorApiResponse =
  /** status 200 Mark as error. */ Remittance;
export type MarkRemittanceErrorApiArg = {
  id: string;
  reasonInput: ReasonInput;
};
export type CancelRemittanceApiResponse = /** status 200 Cancel. */ Remittance;
export type CancelRemittanceApiArg = {
  id: string;
  reasonInput: ReasonInput;
};
export type CompleteRemittanceApiResponse =
  /** status 200 Complete with the proof of delivery. */ Remittance;
export type CompleteRemittanceApiArg = {
  id: string;
  completeInput: CompleteInput;
};
export type DepositToManagerApiResponse =
  /** status 201 Deposit to the treasury. */ Movement;
export type DepositToManagerApiArg = {
  depositInput: DepositInput;
};
export type DepositToAgencyApiResponse =
  /** status 201 Assign money to a party of this kind. */ Movement;
export type DepositToAgencyApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type DepositToAgentApiResponse =
  /** status 201 Assign money to a party of this kind. */ Movement;
export type DepositToAgentApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type DepositToDealerApiResponse =
  /** status 201 Assign money to a party of this kind. */ Movement;
export type DepositToDealerApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type DepositToDeliveryManApiResponse =
  /** status 201 Assign money to a party of this kind. */ Movement;
export type DepositToDeliveryManApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type DepositToPartyApiResponse =
  /** status 201 Assign money to a party of any kind. */ Movement;
export type DepositToPartyApiArg = {
  id: string;
  depositInput: DepositInput;
};
export type TransferDealerCashApiResponse =
  /** status 201 Move a dealer's cash. */ Movement;
export type TransferDealerCashApiArg = {
  dealerTransferInput: DealerTransferInput;
};
export type RecordDealerExpenseApiResponse =
  /** status 201 Record an expense. */ Movement;
export type RecordDealerExpenseApiArg = {
  id: string;
  expenseInput: ExpenseInput;
};
export type ListDebitsApiResponse =
  /** status 200 Debits in the caller's scope, as debtor or creditor. */ DebitPage;
export type ListDebitsApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  status?: DebitStatus;
  partyId?: string;
  /** - in front: descending. */
  sort?:
    | "created"
    | "-created"
    | "amount"
    | "-amount"
    | "outstanding"
    | "-outstanding";
};
export type PayDebitsApiResponse = /** status 201 Pay debits. */ Movement;
export type PayDebitsApiArg = {
  payDebitsInput: PayDebitsInput;
};
export type ClosePeriodApiResponse =
  /** status 201 Close a seller's period. */ Closure;
export type ClosePeriodApiArg = {
  closureInput: ClosureInput;
};
export type ListClosuresApiResponse = /** status 200 Closures. */ ClosurePage;
export type ListClosuresApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  partyId?: string;
  /** - in front: descending. */
  sort?: "created" | "-created";
};
export type ListAccountBalancesApiResponse =
  /** status 200 Every account's balance; without dates, now. */ AccountBalancePage;
export type ListAccountBalancesApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  from?: string;
  to?: string;
  at?: string;
};
export type UploadFileApiResponse = /** status 201 Keep a file. */ StoredFile;
export type UploadFileApiArg = {
  uploadInput: UploadInput;
};
export type ListUsersApiResponse =
  /** status 200 The tenant's logins, of every role. */ UserPage;
export type ListUsersApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  userType?: UserType;
  isActive?: boolean;
  /** Searches names, addresses and phones. */
  query?: string;
  /** - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "email"
    | "-email"
    | "lastAccess"
    | "-lastAccess"
    | "created"
    | "-created";
};
export type CreateUserApiResponse = /** status 201 Add a manager. */ Created;
export type CreateUserApiArg = {
  userInput: UserInput;
};
export type GetUserApiResponse = /** status 200 One login. */ User;
export type GetUserApiArg = {
  id: string;
};
export type UpdateUserApiResponse = /** status 200 Change a login. */ User;
export type UpdateUserApiArg = {
  id: string;
  userChangeInput: UserChangeInput;
};
export type DeleteUserApiResponse = unknown;
export type DeleteUserApiArg = {
  id: string;
};
export type ChangePasswordApiResponse = unknown;
export type ChangePasswordApiArg = {
  email: string;
  changePasswordInput: ChangePasswordInput;
};
export type ForgotPasswordApiResponse = unknown;
export type ForgotPasswordApiArg = {
  email: string;
};
export type ResetPasswordApiResponse = unknown;
export type ResetPasswordApiArg = {
  email: string;
  resetPasswordInput: ResetPasswordInput;
};
export type UpdatePaymentGroupApiResponse =
  /** status 200 Change a payment group; its currency stays. */ PaymentGroup;
export type UpdatePaymentGroupApiArg = {
  id: string;
  paymentGroupInput: PaymentGroupInput;
};
export type DeletePaymentGroupApiResponse = unknown;
export type DeletePaymentGroupApiArg = {
  id: string;
};
export type ListCountriesApiResponse =
  /** status 200 The countries of the world (ISO 3166-1). */ NamedPlaceList;
export type ListCountriesApiArg = void;
export type ListStatesApiResponse =
  /** status 200 A country's states or provinces (ISO 3166-2); empty where it has none. */ NamedPlaceList;
export type ListStatesApiArg = {
  code: string;
};
export type ListCitiesApiResponse =
  /** status 200 Cities that the tenant has entered, to suggest. */ NamedPlaceList;
export type ListCitiesApiArg = {
  /** ISO 3166-1 code. */
  country?: string;
  query?: string;
};
export type SetAgencyTermsApiResponse =
  /** status 200 Set an agency's terms for one group. */ Agency;
export type SetAgencyTermsApiArg = {
  id: string;
  termsInput: TermsInput;
};
export type ListAgencyBalanceAssignmentsApiResponse =
  /** status 200 What was assigned to agencies. */ MovementPage;
export type ListAgencyBalanceAssignmentsApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  agencyId?: string;
  /** - in front: descending. */
  sort?: "number" | "-number" | "created" | "-created";
};
export type SetAgentTermsApiResponse =
  /** status 200 Set an agent's terms for one group. */ Agent;
export type SetAgentTermsApiArg = {
  id: string;
  termsInput: TermsInput;
};
export type ListAgentBalanceAssignmentsApiResponse =
  /** status 200 What was assigned to agents. */ MovementPage;
export type ListAgentBalanceAssignmentsApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  agentId?: string;
  /** - in front: descending. */
  sort?: "number" | "-number" | "created" | "-created";
};
export type UpdateDealerApiResponse = /** status 200 Change a dealer. */ Dealer;
export type UpdateDealerApiArg = {
  id: string;
  dealerChangeInput: DealerChangeInput;
};
export type UpdateDeliveryManApiResponse =
  /** status 200 Change a delivery man. */ Dealer;
export type UpdateDeliveryManApiArg = {
  id: string;
  deliveryManChangeInput: DeliveryManChangeInput;
};
export type ListDealerBalanceAssignmentsApiResponse =
  /** status 200 What was assigned to dealers and delivery men. */ MovementPage;
export type ListDealerBalanceAssignmentsApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  dealerId?: string;
  /** - in front: descending. */
  sort?: "number" | "-number" | "created" | "-created";
};
export type GetMovementApiResponse = /** status 200 One movement. */ Movement;
export type GetMovementApiArg = {
  id: string;
};
export type GetRemittanceStatisticsApiResponse =
  /** status 200 How many remittances were created per day; those canceled not counted. At most 366 days; the last 30 by default. */ RemittanceStatistics;
export type GetRemittanceStatisticsApiArg = {
  agencyId?: string;
  initDate?: string;
  finalDate?: string;
};
export type GetRemittanceTotalsApiResponse =
  /** status 200 Totals of a period, and of the one before. rangeSelector or dates; the current day by default. */ RemittanceTotals;
export type GetRemittanceTotalsApiArg = {
  agencyId?: string;
  currency?: string;
  initDate?: string;
  finalDate?: string;
  rangeSelector?: RangeSelector;
};
export type ListSellerRemittancesApiResponse =
  /** status 200 What each agency (and agent without one) sold in a period; for an agency, each of its agents. Not for agents. The current day by default. */ SellerRemittancesPage;
export type ListSellerRemittancesApiArg = {
  currentPage?: number;
  /** 1 to 100; 0 means all, up to 10,000 rows. */
  recordsPerPage?: number;
  initDate?: string;
  finalDate?: string;
  rangeSelector?: RangeSelector;
  /** - in front: descending. */
  sort?:
    | "name"
    | "-name"
    | "amount"
    | "-amount"
    | "totalRemittance"
    | "-totalRemittance";
};
export type GetAttentionApiResponse =
  /** status 200 Remittances in error, in shipping for more than 3 days, balances below a tenth of what the 30 days before sold on average in a week, open debits. */ Attention;
export type GetAttentionApiArg = void;
export type AccessToken = {
  accessToken: string;
  /** Seconds. */
  expiresIn: number;
};
export type UserType = 2 | 3 | 4 | 5 | 6;
export type AgentType = 0 | 1;
export type CurrencyCode = string;
export type Money = string;
export type Decimal = string;
export type ManagerCommission = {
  rate: Decimal;
};
export type UtilityType = 0 | 1;
export type Commission = {
  rate: Decimal;
  utilityType: UtilityType;
  minimalAmount: Money | null;
  utilityValue: Decimal | null;
};
export type PaymentGroupType = 0 | 1;
export type ProfilePaymentGroup = {
  id: string | null;
  /** The catalogue group. */
  paymentGroupId: string | null;
  groupName: string;
  currencyFrom: CurrencyCode;
  currencyTo: CurrencyCode;
  amount: Money;
  expenses: Money;
  exchangeRate: Decimal | null;
  creditLimit: Money | null;
  managerCommission: ManagerCommission | null;
  agencyCommission: Commission | null;
  agentCommission: Commission | null;
  isActive: boolean;
  type: PaymentGroupType;
};
export type Profile = {
  id: string;
  name: string;
  email: string;
  userType: UserType;
  agentType: AgentType | null;
  /** The agency of an agent; an agency's own id. */
  agencyId: string | null;
  agencyName: string | null;
  /** Address of the file. */
  profilePicture: string | null;
  /** IANA zone of the tenant. */
  timeZone: string;
  paymentGroups: ProfilePaymentGroup[];
};
export type Login = {
  token: AccessToken;
  profile: Profile;
};
export type FieldProblem = {
  /** Path of the field as the request names it, for example paymentGroups[0].exchangeRate. */
  field: string;
  /** Stable. */
  code: string;
  /** In the caller's language. */
  detail: string;
};
export type Problem = {
  type: string;
  title: string;
  status: number;
  /** Stable; listed in the documentation. */
  code: string;
  /** In the caller's language. */
  detail: string;
  errors?: FieldProblem[];
};
export type LoginRequest = {
  email: string;
  password: string;
};
export type ProfileInput = {
  name?: string;
  email?: string;
  /** Id or address of a kept file; null removes it. */
  profilePicture?: string | null;
};
export type Currency = {
  id: string;
  code: CurrencyCode;
  symbol: string;
  /** Reference units per 1 USD. */
  exchangeRate: Decimal;
  /** Fixed distribution fee per delivery, in this currency. */
  distributionRate: Money;
  accounted: boolean;
  enabled: boolean;
};
export type CurrencyPage = {
  data: Currency[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type DecimalInput = string | number;
export type MoneyInput = string | number;
export type CurrencyInput = {
  code: string;
  symbol: string;
  exchangeRate: DecimalInput;
  distributionRate: MoneyInput;
  accounted: boolean;
  enabled: boolean;
};
export type Province = {
  id: string;
  code: string;
  name: string;
  enabled: boolean;
};
export type ProvinceList = {
  results: Province[];
};
export type Municipality = {
  id: string;
  code: string;
  name: string;
  provinceId: string;
  provinceName: string;
  distributionFee: Money | null;
  distributionFeeCurrency: CurrencyCode | null;
  enabled: boolean;
};
export type MunicipalityList = {
  results: Municipality[];
};
export type ProvinceInput = {
  name?: string;
  enabled?: boolean;
};
export type MunicipalityInput = {
  name?: string;
  distributionFee?: MoneyInput | null;
  distributionFeeCurrency?: CurrencyCode | null;
  enabled?: boolean;
};
export type PaymentGroup = {
  id: string;
  name: string;
  currencyFrom: CurrencyCode;
  currencyTo: CurrencyCode;
  exchangeRate: Decimal;
  managerCommission: ManagerCommission;
  agencyCommission: Commission;
  agentCommission: Commission;
  isActive: boolean;
  type: PaymentGroupType;
};
export type PaymentGroupPage = {
  data: PaymentGroup[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type ManagerCommissionInput = {
  rate: DecimalInput;
};
export type CommissionInput = {
  rate: DecimalInput;
  utilityType?: UtilityType;
  minimalAmount?: MoneyInput | null;
  utilityValue?: DecimalInput | null;
};
export type PaymentGroupInput = {
  name: string;
  currencyTo: string;
  exchangeRate: DecimalInput;
  managerCommission: ManagerCommissionInput;
  currencyFrom?: string;
  agencyCommission?: CommissionInput;
  agentCommission?: CommissionInput;
  isActive?: boolean;
  type?: PaymentGroupType;
};
export type Agency = {
  id: string;
  name: string;
  email: string;
  phone: string | null;
  addressLine1: string | null;
  addressLine2: string | null;
  addressLine3: string | null;
  /** ISO 3166 code. */
  country: string | null;
  province: string | null;
  city: string | null;
  zip: string | null;
  profilePicture: string | null;
  isActive: boolean;
  created: string;
  updated: string;
  paymentGroups: ProfilePaymentGroup[];
};
export type AgencyChangeInput = {
  id: string;
  name: string;
  email: string;
  password?: string;
  phone?: string | null;
  addressLine1?: string | null;
  addressLine2?: string | null;
  addressLine3?: string | null;
  /** ISO 3166 code. */
  country?: string | null;
  province?: string | null;
  city?: string | null;
  zip?: string | null;
  profilePicture?: string | null;
  isActive?: boolean;
};
export type AgencyPage = {
  data: Agency[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type Created = {
  id: string;
};
export type PartyTermsInput = {
  paymentGroupId: string;
  exchangeRate?: DecimalInput;
  agencyCommission?: CommissionInput;
  agentCommission?: CommissionInput;
  creditLimit?: MoneyInput;
  name?: string;
  isActive?: boolean;
};
export type AgencyInput = {
  name: string;
  email: string;
  password: string;
  phone?: string | null;
  addressLine1?: string | null;
  addressLine2?: string | null;
  addressLine3?: string | null;
  /** ISO 3166 code. */
  country?: string | null;
  province?: string | null;
  city?: string | null;
  zip?: string | null;
  profilePicture?: string | null;
  isActive?: boolean;
  paymentGroups?: PartyTermsInput[];
};
export type Agent = {
  id: string;
  name: string;
  email: string;
  phone: string | null;
  addressLine1: string | null;
  addressLine2: string | null;
  addressLine3: string | null;
  /** ISO 3166 code. */
  country: string | null;
  province: string | null;
  city: string | null;
  zip: string | null;
  profilePicture: string | null;
  isActive: boolean;
  created: string;
  updated: string;
  agentType: AgentType;
  agencyId: string | null;
  agencyName: string | null;
  paymentGroups: ProfilePaymentGroup[];
};
export type AgentPage = {
  data: Agent[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type AgentInput = {
  name: string;
  email: string;
  password: string;
  agentType: AgentType;
  phone?: string | null;
  addressLine1?: string | null;
  addressLine2?: string | null;
  addressLine3?: string | null;
  /** ISO 3166 code. */
  country?: string | null;
  province?: string | null;
  city?: string | null;
  zip?: string | null;
  profilePicture?: string | null;
  isActive?: boolean;
  paymentGroups?: PartyTermsInput[];
  agencyId?: string | null;
};
export type AgentChangeInput = {
  name: string;
  email: string;
  password?: string;
  phone?: string | null;
  addressLine1?: string | null;
  addressLine2?: string | null;
  addressLine3?: string | null;
  /** ISO 3166 code. */
  country?: string | null;
  province?: string | null;
  city?: string | null;
  zip?: string | null;
  profilePicture?: string | null;
  isActive?: boolean;
};
export type DealerType = 0 | 1;
export type Ref = {
  id: string;
  /** Null when the person was erased. */
  name: string | null;
};
export type Dealer = {
  id: string;
  type: DealerType;
  name: string;
  email: string;
  identificationNumber: string | null;
  phoneNumber: string | null;
  phone2: string | null;
  license: string | null;
  country: string | null;
  zipcode: string | null;
  addressLine1: string | null;
  addressLine2: string | null;
  addressLine3: string | null;
  provinceId: string | null;
  province: string | null;
  municipality: string | null;
  zones: Ref[];
  /** Province and zones, comma-joined with leading and trailing commas. */
  distributionArea: string;
  handleMLC: boolean;
  /** A delivery man's dealer. */
  dealerId: string | null;
  dealerName: string | null;
  isActive: boolean;
  created: string;
  updated: string;
};
export type DealerPage = {
  data: Dealer[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type DealerInput = {
  name: string;
  email: string;
  password: string;
  identificationNumber?: string | null;
  /** Also accepted as phone. */
  phoneNumber?: string | null;
  /** The same as phoneNumber. */
  phone?: string | null;
  phone2?: string | null;
  license?: string | null;
  country?: string | null;
  zipcode?: string | null;
  addressLine1?: string | null;
  addressLine2?: string | null;
  addressLine3?: string | null;
  provinceId?: string;
  municipality?: string | null;
  zones?: string[];
  handleMLC?: boolean;
  isActive?: boolean;
};
export type DirectoryDealer = {
  id: string;
  name: string;
};
export type DirectoryDealerPage = {
  data: DirectoryDealer[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type DeliveryManInput = {
  name: string;
  email: string;
  password: string;
  /** The calling dealer when absent. */
  dealerId?: string;
  identificationNumber?: string | null;
  /** Also accepted as phone. */
  phoneNumber?: string | null;
  /** The same as phoneNumber. */
  phone?: string | null;
  phone2?: string | null;
  license?: string | null;
  country?: string | null;
  zipcode?: string | null;
  addressLine1?: string | null;
  addressLine2?: string | null;
  addressLine3?: string | null;
  municipality?: string | null;
  handleMLC?: boolean;
  isActive?: boolean;
};
export type CustomerType = 0 | 1;
export type IdentificationType = 0 | 1 | 2 | 3 | 4 | 5 | 6;
export type CardBrand =
  "bandec_mlc" | "bm_mlc" | "bpa_mlc" | "bandec_cup" | "bm_cup" | "bpa_cup";
export type Card = {
  id: string;
  customerId: string;
  cardNumber: string | null;
  brand: CardBrand;
  currency: CurrencyCode;
  isDefault: boolean;
};
export type CustomerAddress = {
  zipcode: string | null;
  email: string | null;
  line1: string | null;
  stateOrProvince: string | null;
  cityOrMunicipality: string | null;
};
export type IdentityDocument = {
  documentNumber: string | null;
  documentTypeOption: IdentificationType | null;
};
export type Customer = {
  id: string;
  customerType: CustomerType;
  name: string | null;
  lastName: string | null;
  secondSurname: string | null;
  personalIdentificationNumber: string | null;
  personalIdentificationType: IdentificationType | null;
  personalIdentificationExpirationDate: string | null;
  personalIdentificationIssueDate: string | null;
  phoneNumber: string | null;
  addressLine: string | null;
  /** Neighbourhood. */
  repart: string | null;
  /** ISO 3166 code of an issuer's country. */
  country: string | null;
  /** Free text for an issuer; the name of provinceId for a recipient. */
  province: string | null;
  /** Free text for an issuer; the name of municipalityId for a recipient. */
  municipality: string | null;
  provinceId: string | null;
  municipalityId: string | null;
  alternativeName: string | null;
  alternativeLastName: string | null;
  alternativePersonalIdentificationNumber: string | null;
  alternativePhoneNumber: string | null;
  email: string | null;
  zipCode: string | null;
  alias: string | null;
  /** name, lastName and secondSurname joined. */
  fullName: string | null;
  senderId: string | null;
  agencyId: string | null;
  isActive: boolean;
  totalReceivers: number;
  card: Card[];
  address: CustomerAddress;
  identityDocument: IdentityDocument;
  created: string;
  updated: string;
};
export type CustomerPage = {
  data: Customer[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type CardInput = {
  /** 16 digits; spaces are dropped. */
  cardNumber: string;
  brand: CardBrand;
  currency?: string;
  isDefault?: boolean;
};
export type CustomerInput = {
  name: string;
  customerType: CustomerType;
  lastName?: string | null;
  secondSurname?: string | null;
  personalIdentificationNumber?: string | null;
  personalIdentificationType?: IdentificationType | null;
  personalIdentificationExpirationDate?: string | null;
  personalIdentificationIssueDate?: string | null;
  phoneNumber?: string | null;
  addressLine?: string | null;
  /** Neighbourhood. */
  repart?: string | null;
  /** ISO 3166 code of an issuer's country. */
  country?: string | null;
  /** Free text for an issuer; the name of provinceId for a recipient. */
  province?: string | null;
  /** Free text for an issuer; the name of municipalityId for a recipient. */
  municipality?: string | null;
  provinceId?: string | null;
  municipalityId?: string | null;
  alternativeName?: string | null;
  alternativeLastName?: string | null;
  alternativePersonalIdentificationNumber?: string | null;
  alternativePhoneNumber?: string | null;
  email?: string | null;
  zipCode?: string | null;
  senderId?: string | null;
  agencyId?: string | null;
  isActive?: boolean;
  card?: CardInput[];
};
export type AddCardInput = {
  customerId: string;
  /** 16 digits; spaces are dropped. */
  cardNumber: string;
  brand: CardBrand;
};
export type CardPage = {
  data: Card[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type Quote = {
  amount: Money;
  payout: Money;
  currencyTo: CurrencyCode;
  exchangeRate: Decimal;
  managerFee: Money;
  agencyFee: Money;
  agentFee: Money;
  totalFee: Money;
  totalToPay: Money;
  /** What is left of the seller's balance in this group after this sale, in currencyTo; negative when it draws on the credit limit or exceeds it. */
  remainingBalance: Money;
};
export type RemittanceStatus = 0 | 1 | 2 | 3 | 4;
export type DeliveryMethod = "home" | "card";
export type RemittancePerson = {
  id: string;
  /** Full name; null when erased. */
  name: string | null;
  phoneNumber: string | null;
  identificationNumber: string | null;
};
export type RemittanceAddress = {
  addressLine: string | null;
  provinceId: string | null;
  province: string | null;
  municipalityId: string | null;
  municipality: string | null;
};
export type RemittanceProof = {
  identificationDocument: string | null;
  firmPicture: string | null;
};
export type Warning = {
  code: string;
  detail: string;
};
export type Remittance = {
  id: string;
  code: string;
  status: RemittanceStatus;
  deliveryMethod: DeliveryMethod;
  sender: RemittancePerson;
  recipient: RemittancePerson;
  address: RemittanceAddress | null;
  card: Card | null;
  paymentGroupId: string;
  groupName: string;
  currencyFrom: CurrencyCode;
  currencyTo: CurrencyCode;
  amount: Money;
  payout: Money;
  exchangeRate: Decimal;
  managerFee: Money;
  agencyFee: Money;
  agentFee: Money;
  totalFee: Money;
  totalToPay: Money;
  distributionFee: Money | null;
  agency: Ref | null;
  agent: Ref | null;
  dealer: Ref | null;
  deliveryMan: Ref | null;
  reference: string | null;
  notes: string | null;
  /** Why it stands in error or was canceled. */
  reason: string | null;
  proof: RemittanceProof;
  created: string;
  updated: string;
  completed: string | null;
  warnings?: Warning[];
};
export type RemittancePage = {
  data: Remittance[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type RemittanceCreated = {
  id: string;
  code: string;
  status: RemittanceStatus;
  quote: Quote;
};
export type RemittanceInput = {
  senderId: string;
  recipientId: string;
  paymentGroupId: string;
  amount: MoneyInput;
  deliveryMethod: DeliveryMethod;
  cardId?: string | null;
  /** The seller's own, unique per seller. */
  reference?: string | null;
  notes?: string | null;
  agencyId?: string | null;
  agentId?: string | null;
};
export type RemittanceAmountInput = {
  amount: MoneyInput;
  paymentGroupId: string;
};
export type RemittanceDetailsInput = {
  recipientId?: string;
  address?: string;
  provinceId?: string;
  municipalityId?: string;
  deliveryMethod?: DeliveryMethod;
  cardId?: string;
  notes?: string;
};
export type RemittanceChange =
  | "created"
  | "detailsEdited"
  | "amountEdited"
  | "assigned"
  | "error"
  | "canceled"
  | "completed";
export type HistoryActor = {
  id: string | null;
  name: string | null;
  userType: UserType | null;
};
export type RemittanceHistoryItem = {
  position: number;
  at: string;
  change: RemittanceChange;
  status: RemittanceStatus;
  actor: HistoryActor;
  reason: string | null;
  dealer: Ref | null;
  deliveryMan: Ref | null;
  amount: Money | null;
  payout: Money | null;
  currencyTo: CurrencyCode | null;
};
export type RemittanceHistoryPage = {
  data: RemittanceHistoryItem[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type RemittanceTerms = {
  remittanceId: string;
  paymentGroupId: string;
  groupName: string;
  currencyFrom: CurrencyCode;
  currencyTo: CurrencyCode;
  exchangeRate: Decimal;
  managerCommission: ManagerCommission;
  agencyCommission: Commission | null;
  agentCommission: Commission | null;
};
export type AssignDealerInput = {
  dealerId: string;
  deliveryManId?: string | null;
};
export type BulkAssignRow = {
  id: string;
  ok: boolean;
  problem: Problem | null;
  warnings: Warning[];
};
export type BulkAssignResult = {
  results: BulkAssignRow[];
};
export type BulkAssignInput = {
  remittanceIds: string[];
  dealerId: string;
};
export type ReasonInput = {
  reason: string;
};
export type CompleteInput = {
  identificationDocument: Blob;
  firmPicture?: Blob;
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
export type MovementAmount = {
  currency: CurrencyCode;
  amount: Money;
};
export type Movement = {
  id: string;
  number: string;
  kind: MovementKind;
  from: Ref | null;
  to: Ref | null;
  amounts: MovementAmount[];
  paymentGroupId: string | null;
  onCredit: boolean;
  debitId: string | null;
  note: string | null;
  actor: HistoryActor;
  reversed: boolean;
  created: string;
};
export type DepositInput = {
  amount: MoneyInput;
  currency?: string;
  paymentGroupId?: string;
  onCredit?: boolean;
  note?: string | null;
};
export type DealerTransferInput = {
  from: string;
  currency: string;
  amount: MoneyInput;
  to?: string;
  toManager?: boolean;
  toCurrency?: string;
  rate?: DecimalInput;
  note?: string | null;
};
export type ExpenseInput = {
  currency: string;
  amount: MoneyInput;
  concept: string;
};
export type DebitOrigin = "assignment" | "closure";
export type DebitStatus = "open" | "settled" | "void";
export type Debit = {
  id: string;
  debtor: Ref;
  creditor: Ref | null;
  origin: DebitOrigin;
  originId: string;
  status: DebitStatus;
  amount: Money;
  paid: Money;
  outstanding: Money;
  created: string;
  settled: string | null;
};
export type DebitPage = {
  data: Debit[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type PayDebitsInput = {
  debitIds: string[];
  amount?: MoneyInput;
  note?: string | null;
};
export type ClosureGroup = {
  paymentGroupId: string;
  groupName: string;
  currency: CurrencyCode;
  opening: Money;
  assigned: Money;
  given: Money;
  sold: Money;
  returned: Money;
  closing: Money;
};
export type ClosureFigures = {
  groups: ClosureGroup[];
  remittances: number;
  amount: Money;
  managerCommission: Money;
  agencyCommission: Money;
  agentCommission: Money;
  debitsOpened: Money;
  debitsPaid: Money;
  debitsOutstanding: Money;
};
export type Closure = {
  id: string;
  number: string;
  party: Ref;
  from: string | null;
  to: string;
  figures: ClosureFigures;
  debitId: string | null;
  agencyDebitId: string | null;
  created: string;
};
export type ClosureInput = {
  partyId: string;
  to?: string;
};
export type ClosurePage = {
  data: Closure[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type AccountKind =
  | "treasury"
  | "field_cash"
  | "debits"
  | "commission_receivable"
  | "balance"
  | "remittances_pending"
  | "remittances_shipping"
  | "remittances_error"
  | "deferred_commission"
  | "capital"
  | "fx_position"
  | "commission_income"
  | "distribution_fees"
  | "dealer_expenses"
  | "agency_receivable"
  | "agency_memo";
export type AccountBalance = {
  code: string;
  kind: AccountKind;
  owner: Ref | null;
  paymentGroupId: string | null;
  currency: CurrencyCode;
  opening: Money;
  debits: Money;
  credits: Money;
  closing: Money;
};
export type AccountBalancePage = {
  data: AccountBalance[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type StoredFile = {
  id: string;
  url: string;
  mediaType: string;
  size: number;
};
export type UploadInput = {
  file: Blob;
};
export type User = {
  id: string;
  name: string;
  email: string;
  phone: string | null;
  userType: UserType;
  agentType: AgentType | null;
  /** An agent's agency, or a delivery man's dealer. */
  ownerId: string | null;
  ownerName: string | null;
  /** Address of the file. */
  profilePicture: string | null;
  isActive: boolean;
  /** When it last logged in or renewed its session. */
  lastAccess: string | null;
  created: string;
  updated: string;
};
export type UserPage = {
  data: User[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type UserInput = {
  name: string;
  email: string;
  password: string;
  phone?: string | null;
  isActive?: boolean;
};
export type UserChangeInput = {
  name?: string;
  email?: string;
  /** Another password; ends its sessions. */
  password?: string;
  phone?: string | null;
  isActive?: boolean;
};
export type ChangePasswordInput = {
  email: string;
  oldPassword: string;
  newPassword: string;
};
export type ResetPasswordInput = {
  code: string;
  password: string;
};
export type NamedPlace = {
  /** The same as code. */
  id: string;
  /** ISO 3166 code; a city's own name. */
  code: string;
  /** In the caller's language. */
  name: string;
};
export type NamedPlaceList = {
  results: NamedPlace[];
};
export type TermsInput = {
  paymentGroupId: string;
  currencyFrom?: string;
  currencyTo?: string;
  name?: string;
  rate?: DecimalInput;
  utilityType?: UtilityType;
  minimalAmount?: MoneyInput | null;
  utilityValue?: DecimalInput | null;
  agencyCommission?: CommissionInput;
  agentCommission?: CommissionInput;
  exchangeRate?: DecimalInput;
  creditLimit?: MoneyInput;
  isActive?: boolean;
  type?: PaymentGroupType;
};
export type MovementPage = {
  data: Movement[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type DealerChangeInput = {
  name: string;
  email: string;
  password?: string;
  identificationNumber?: string | null;
  /** Also accepted as phone. */
  phoneNumber?: string | null;
  /** The same as phoneNumber. */
  phone?: string | null;
  phone2?: string | null;
  license?: string | null;
  country?: string | null;
  zipcode?: string | null;
  addressLine1?: string | null;
  addressLine2?: string | null;
  addressLine3?: string | null;
  provinceId?: string;
  municipality?: string | null;
  zones?: string[];
  handleMLC?: boolean;
  isActive?: boolean;
};
export type DeliveryManChangeInput = {
  name: string;
  email: string;
  password?: string;
  identificationNumber?: string | null;
  /** Also accepted as phone. */
  phoneNumber?: string | null;
  /** The same as phoneNumber. */
  phone?: string | null;
  phone2?: string | null;
  license?: string | null;
  country?: string | null;
  zipcode?: string | null;
  addressLine1?: string | null;
  addressLine2?: string | null;
  addressLine3?: string | null;
  municipality?: string | null;
  handleMLC?: boolean;
  isActive?: boolean;
};
export type DailyCount = {
  /** YYYYMMDD in the tenant's zone. */
  date: string;
  total: number;
};
export type RemittanceStatistics = {
  results: DailyCount[];
};
export type RemittanceTotal = {
  currency: CurrencyCode;
  /** Paid out, in the currency. */
  amount: Money;
  /** Sent, in USD. */
  amountUsd: Money;
  totalRemittances: number;
  /** Paid out in the period before, of the same length. */
  previousAmount: Money;
  previousTotalRemittances: number;
  /** Percentage by which the count changed against the period before, one decimal; null where that had none. */
  change: Decimal | null;
};
export type RemittanceTotals = {
  report: RemittanceTotal[];
  /** In all currencies. */
  totalRemittances: number;
  previousTotalRemittances: number;
  /** As in the rows. */
  change: Decimal | null;
};
export type RangeSelector = 0 | 1 | 2 | 3;
export type SellerRemittances = {
  id: string;
  name: string;
  pictureUrl: string | null;
  /** Sent, in USD. */
  amount: Money;
  /** By currency, now. */
  balance: MovementAmount[];
  totalRemittance: number;
};
export type SellerRemittancesPage = {
  data: SellerRemittances[];
  itemsPerPage: number;
  currentPage: number;
  totalPages: number;
  totalRecords: number;
};
export type AttentionKind =
  "remittanceError" | "shippingTooLong" | "lowBalance" | "openDebit";
export type AttentionItem = {
  kind: AttentionKind;
  /** Of the remittance, party or debit. */
  id: string;
  /** A remittance's code; the party's name. */
  name: string | null;
  /** A remittance's recipient; the group of a balance. */
  detail: string | null;
  /** Payout, balance or outstanding sum. */
  amount: Money | null;
  currency: CurrencyCode | null;
  /** When it came to be so. */
  since: string | null;
};
export type Attention = {
  results: AttentionItem[];
  /** How many of each kind. */
  counts: {
    remittanceError: number;
    shippingTooLong: number;
    lowBalance: number;
    openDebit: number;
  };
};
export const {
  useLoginMutation,
  useRefreshTokenMutation,
  useLogoutMutation,
  useUpdateProfileMutation,
  useGetProfileQuery,
  useLazyGetProfileQuery,
  useListCurrenciesQuery,
  useLazyListCurrenciesQuery,
  useCreateCurrencyMutation,
  useDeleteCurrencyMutation,
  useUpdateCurrencyMutation,
  useListProvincesQuery,
  useLazyListProvincesQuery,
  useListMunicipalitiesQuery,
  useLazyListMunicipalitiesQuery,
  useUpdateProvinceMutation,
  useUpdateMunicipalityMutation,
  useListPaymentGroupsQuery,
  useLazyListPaymentGroupsQuery,
  useCreatePaymentGroupMutation,
  useUpdateAgencyMutation,
  useListAgenciesQuery,
  useLazyListAgenciesQuery,
  useCreateAgencyMutation,
  useDeactivateAgencyMutation,
  useGetAgencyQuery,
  useLazyGetAgencyQuery,
  useListAgentsQuery,
  useLazyListAgentsQuery,
  useCreateAgentMutation,
  useUpdateAgentMutation,
  useGetAgentQuery,
  useLazyGetAgentQuery,
  useListDealersQuery,
  useLazyListDealersQuery,
  useCreateDealerMutation,
  useListDealerDirectoryQuery,
  useLazyListDealerDirectoryQuery,
  useCreateDeliveryManMutation,
  useListSendersQuery,
  useLazyListSendersQuery,
  useListRecipientsQuery,
  useLazyListRecipientsQuery,
  useCreateCustomerMutation,
  useUpdateCustomerMutation,
  useGetCustomerQuery,
  useLazyGetCustomerQuery,
  useAddCardMutation,
  useListCardsQuery,
  useLazyListCardsQuery,
  useGetQuoteQuery,
  useLazyGetQuoteQuery,
  useListRemittancesQuery,
  useLazyListRemittancesQuery,
  useCreateRemittanceMutation,
  useGetRemittanceQuery,
  useLazyGetRemittanceQuery,
  useUpdateRemittanceAmountMutation,
  useUpdateRemittanceDetailsMutation,
  useListRemittanceHistoryQuery,
  useLazyListRemittanceHistoryQuery,
  useGetRemittanceTermsQuery,
  useLazyGetRemittanceTermsQuery,
  useAssignDealerMutation,
  useAssignDealerInBulkMutation,
  useMarkRemittanceErrorMutation,
  useCancelRemittanceMutation,
  useCompleteRemittanceMutation,
  useDepositToManagerMutation,
  useDepositToAgencyMutation,
  useDepositToAgentMutation,
  useDepositToDealerMutation,
  useDepositToDeliveryManMutation,
  useDepositToPartyMutation,
  useTransferDealerCashMutation,
  useRecordDealerExpenseMutation,
  useListDebitsQuery,
  useLazyListDebitsQuery,
  usePayDebitsMutation,
  useClosePeriodMutation,
  useListClosuresQuery,
  useLazyListClosuresQuery,
  useListAccountBalancesQuery,
  useLazyListAccountBalancesQuery,
  useUploadFileMutation,
  useListUsersQuery,
  useLazyListUsersQuery,
  useCreateUserMutation,
  useGetUserQuery,
  useLazyGetUserQuery,
  useUpdateUserMutation,
  useDeleteUserMutation,
  useChangePasswordMutation,
  useForgotPasswordMutation,
  useResetPasswordMutation,
  useUpdatePaymentGroupMutation,
  useDeletePaymentGroupMutation,
  useListCountriesQuery,
  useLazyListCountriesQuery,
  useListStatesQuery,
  useLazyListStatesQuery,
  useListCitiesQuery,
  useLazyListCitiesQuery,
  useSetAgencyTermsMutation,
  useListAgencyBalanceAssignmentsQuery,
  useLazyListAgencyBalanceAssignmentsQuery,
  useSetAgentTermsMutation,
  useListAgentBalanceAssignmentsQuery,
  useLazyListAgentBalanceAssignmentsQuery,
  useUpdateDealerMutation,
  useUpdateDeliveryManMutation,
  useListDealerBalanceAssignmentsQuery,
  useLazyListDealerBalanceAssignmentsQuery,
  useGetMovementQuery,
  useLazyGetMovementQuery,
  useGetRemittanceStatisticsQuery,
  useLazyGetRemittanceStatisticsQuery,
  useGetRemittanceTotalsQuery,
  useLazyGetRemittanceTotalsQuery,
  useListSellerRemittancesQuery,
  useLazyListSellerRemittancesQuery,
  useGetAttentionQuery,
  useLazyGetAttentionQuery,
} = injectedRtkApi;
